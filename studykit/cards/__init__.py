"""Deck text to cards. Pure: text comes in, cards and problems go out; no file, no clock, no schedule."""
