def pick(number):
    return f"item {number}"
