"""What reviewers see and do; one transaction a call, frozen values out.

`desk.Desk` is the only thing a person's interface touches; `views` holds the values that go in and out and loads
nothing heavy, so that a screen can paint before the store is imported.
"""
