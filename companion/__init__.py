"""The headless heart of Moontable: rules, reconciling, referee, journal, prompts, command line.

Runs where neither Qt nor OpenCV, numpy or pyserial is installed.
"""
