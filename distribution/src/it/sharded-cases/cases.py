"""Reads the statements of a file of MariaDB's regression tests: what mysqltest itself does is left out."""
import re

# Commands of mysqltest at the start of a line.
COMMANDS = set(
    'let eval echo while if connect connection disconnect reap send source error inc dec exit skip die sleep real_sleep'
    ' exec perl query_vertical query_horizontal vertical_results horizontal_results sorted_result replace_column'
    ' replace_result replace_regex write_file append_file remove_file send_eval change_user character_set dirty_close'
    ' ping } { end'.split())
SWITCH = re.compile(r'(en|dis)able_\w+$')
BLOCKS = {'while', 'if', 'perl', 'write_file', 'append_file'}


def statements(path):
    delimiter, found, text, in_command = ';', [], '', False
    with open(path, encoding='utf8', errors='replace') as lines:
        for line in lines.read().split('\n'):
            bare = line.strip()
            if not text and not in_command:
                if not bare or bare.startswith('#'):
                    continue
                lower = bare.lower().removeprefix('--').strip()
                first = re.split(r'[\s(;{]', lower, maxsplit=1)[0]
                if first == 'delimiter':
                    delimiter = changed(lower, bare.startswith('--'), delimiter)
                    continue
                if bare.startswith('--'):
                    continue
                if first in COMMANDS or SWITCH.match(first) or bare in '{}':
                    in_command = not bare.endswith(delimiter) and bare not in '{}' and first not in BLOCKS
                    continue
            if in_command:
                in_command = not bare.endswith(delimiter)
                continue
            if bare.startswith('#'):
                continue
            text += ('\n' if text else '') + line
            end = ending(text, delimiter)
            while end >= 0:
                statement, text = text[:end].strip(), text[end + len(delimiter):].strip()
                if statement and not statement.startswith('#'):
                    found.append(statement)
                if text.startswith(('#', '--')):
                    text = ''
                end = ending(text, delimiter)
    return found


def changed(line, is_comment, delimiter):
    other = line[len('delimiter'):].strip()
    ends = other.endswith(delimiter) and len(other) > len(delimiter) and not is_comment
    return other[:-len(delimiter)] if ends else other


def ending(text, delimiter):
    """Where the delimiter stands outside of strings and comments; -1: nowhere."""
    quote, at = None, 0
    while at < len(text):
        c = text[at]
        if quote:
            if c == '\\' and quote != '`':
                at += 1
            elif c == quote:
                quote = None
        elif c in '\'"`':
            quote = c
        elif c == '#' or text.startswith('-- ', at):
            at = text.find('\n', at)
        elif text.startswith('/*', at):
            at = text.find('*/', at) + 1
            at = -1 if at == 0 else at
        elif text.startswith(delimiter, at):
            return at
        if at < 0:
            return -1
        at += 1
    return -1


TABLE = re.compile(r'^\s*create\s+(or\s+replace\s+)?table\s+(if\s+not\s+exists\s+)?`?(\w+)`?', re.I)
NO_COLUMN = set('index key primary unique constraint check foreign fulltext spatial period like select'.split())
NO_KEY = re.compile(
    r'auto_increment|\bserial\b|\bas\s*\(|generated|blob|text|json|geometry|point|float|double|real|\bbit\b|vector|time'
    r'|year|date|enum|\bset\b', re.I)


def key(statement, behind):
    """The column that a new table can be sharded by, one that is not null if there is one; None: there is none."""
    open_ = statement.find('(', behind)
    if open_ < 0:
        return None
    parts, part, depth, quote = [], '', 0, None
    for c in statement[open_:]:
        if quote:
            quote = None if c == quote else quote
        elif c in '\'"`':
            quote = c
        elif c == '(':
            depth += 1
            if depth == 1:
                continue
        elif c == ')':
            depth -= 1
            if depth == 0:
                break
        if c == ',' and depth == 1 and not quote:
            parts.append(part)
            part = ''
        else:
            part += c
    parts.append(part)
    columns = []
    for part in parts:
        column = re.match(r'\s*`?(\w+)`?\s+(\w+)', part)
        if column and column.group(1).lower() not in NO_COLUMN and not NO_KEY.search(part):
            columns.append((not re.search(r'not\s+null|primary', part, re.I), column.group(1).lower()))
    return min(columns, key=lambda each: each[0])[1] if columns else None
