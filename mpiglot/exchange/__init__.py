"""From a plan to files: hosts generators, checks what they answer, writes it into folders."""
