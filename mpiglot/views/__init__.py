"""What commands print about functions, constants, blueprints and the lists of declarations."""
