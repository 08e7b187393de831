"""Which MPIs and toolchains there are, how each is obtained, and how programs run on it."""
