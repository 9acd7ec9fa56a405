"""The headless core of Moontable: rules, reconciling, referee, journal, prompts, command line.

It runs without Qt, OpenCV, numpy and pyserial.
"""
