"""One game in progress: referee, ledger, journal, open prompts, and the merging of several sources."""
