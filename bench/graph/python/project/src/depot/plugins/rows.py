def row(line):
    return f"{line.item.name};{line.amount}"
