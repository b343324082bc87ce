"""Timings against a floor measured in the same run; run by `make bench`, never by the tests."""
