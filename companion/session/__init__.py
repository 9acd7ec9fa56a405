"""One game under way: referee, ledger, journal, prompts that are open, sources as one."""
