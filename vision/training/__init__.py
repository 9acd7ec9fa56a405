"""How the recognisers are trained: tables drawn at random, patches cut from them, fitting, calibration."""
