"""The ledger: what a person decided, applied to the memory exactly as it was shown, and taken back the same way.

Owns the rule by which every operation changes entries, compare-and-set on proposals and targets, refusals, and
undo. Each function works inside a transaction that its caller (`curator.desk`, import) opened; nothing here asks
whether the caller may decide (`curator.desk.guard` does).
"""
