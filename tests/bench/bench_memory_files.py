"""Reading a memory file costs in proportion to its length, in processor time and in memory."""

import time
import tracemalloc

from curator.harvest.memory.prose import read

LINE = "- Always use helper number {0} in module {0} and never the old one, because it leaks\n"


def test_a_long_file_costs_what_its_length_says() -> None:
    """Ten times the rules, with and without headings: the ratio of processor times, and the peak of memory."""
    for name, every in (("one list", 0), ("a heading every 50 rules", 50)):
        costs = []
        for count in (5_000, 50_000):
            head = [f"## Part {n}\n\n" if every and n % every == 0 else "" for n in range(count)]
            text = "".join(head[n] + LINE.format(n) for n in range(count))
            begin = time.process_time()
            found = read(text)
            costs.append(time.process_time() - begin)
            assert len(found.candidates) == count
        print(f"\n{name}: {costs[1]:.1f} s for 50,000 rules, {costs[1] / costs[0]:.1f} times 5,000")
    tracemalloc.start()
    read("".join(LINE.format(n) for n in range(50_000)))
    print(f"peak {tracemalloc.get_traced_memory()[1] >> 20} MiB for 50,000 rules")
    tracemalloc.stop()
