"""Bytes in, observations out; lights and buzzer out; the firmware and a virtual board."""
