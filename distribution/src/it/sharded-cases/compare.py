"""compare.py CASES RESULTS DIFFERS FILE...: each statement of the files on one database and over shards."""
import collections
import os
import re
import sys
import time
import warnings

import pymysql

from cases import TABLE, key, statements

warnings.filterwarnings('ignore')
SHARDS = 8
SECONDS_A_FILE = 240
MODE = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

# What is no question of rows, or another on each server, or gives the server's own state.
SKIPPED = re.compile(
    r'\$|\bgrant\b|\brevoke\b|(create|drop)\s+(user|role)|set\s+(role|(@@)?global)|@@global|\bkill\b|shutdown|install'
    r'|\bflush\b|\breset\b|outfile|infile|dumpfile|load_file|\bsleep\(|get_lock|processlist|mysqltest|^use\s'
    r'|(create|drop)\s+(or\s+replace\s+)?(database|schema|procedure|function|trigger|event|package|server|sequence)'
    r'|(information|performance)_schema|mysql\.|\btest\.|optimizer_trace|connection_id|uuid|\brand\(|profiling|debug'
    r'|show\s+((session|global)\s+status|status|global|master|binary|engine|plugins|profile|create|binlog|warnings'
    r'|errors|count|keys|index)|table status|lock\s+tables|^\s*(explain|analyze|check|call|optimize|backup|purge'
    r'|change|stop)|^\s*desc\w*\s+(extended|format|select|partitions|with)|handler\s|last_query_cost|benchmark\('
    r'|engine\s*=\s*(merge|federated|archive|csv|example|blackhole|mroonga)|partition\s+by|system\s+versioning'
    r'|with\s+system|^start\s+slave|procedure analyse', re.I | re.S)
# What refusals of one kind differ in.
NAMES = re.compile(r"'[^']*'|`[^`]*`|\d+")
CHANGED = re.compile(r'(?:(?:table|into|insert|update|from|view|ignore|replace|delete|join)\s+|,\s*)`?(?=(\w+))', re.I)
SET_VARIABLES = re.compile(r'(@\w+)\s*:?=|\binto\s+(@\w+)|,\s*(@\w+)\s*(?=,|$|from)', re.I)
PREPARED = re.compile(r'\s*prepare\s+`?(\w+)', re.I)
NAME = re.compile(r'@?\w+')
WORDS = {'set', 'select', 'values', 'if', 'exists', 'low_priority', 'or', 'into', 'ignore', 'table'}


class Side:
    def __init__(self, port, database):
        self.port, self.database = int(os.environ[port]), database
        self.open()

    def open(self):
        self.connection = pymysql.connect(
            host='127.0.0.1', port=self.port, user=os.environ['BED_USER'], password=os.environ['BED_PASSWORD'],
            database=self.database, autocommit=True, read_timeout=25, charset='utf8mb4', conv={}, client_flag=0)
        self.answer("SET sql_mode = '%s'" % MODE)

    def answer(self, sql):
        """('rows', columns, rows), ('ok', affected) or ('err', number, text)."""
        try:
            with self.connection.cursor() as cursor:
                affected = cursor.execute(sql)
                if cursor.description is None:
                    return 'ok', affected
                return 'rows', [each[:2] for each in cursor.description], list(cursor.fetchall())
        except pymysql.err.MySQLError as error:
            number, text = (list(error.args) + [0, ''])[:2]
            if number in (0, 2006, 2013):
                self.open()
            return 'err', number, str(text)

    def drop_all(self):
        self.answer('SET foreign_key_checks = 0')
        for name, kind in self.answer('SHOW FULL TABLES')[2]:
            self.answer('DROP %s `%s`' % ('VIEW' if kind == 'VIEW' else 'TABLE', name))
        self.answer('SET foreign_key_checks = DEFAULT')


def is_open(sql):
    """Whether LIMIT stands in a query without ORDER BY: a server may give any rows."""
    ordered, text = [False], sql.lower()
    for word in re.findall(r"'(?:[^'\\]|\\.)*'|[()]|order\s+by|\blimit\b", text):
        if word == '(':
            ordered.append(False)
        elif word == ')':
            ordered = ordered[:-1] or [False]
        elif word == 'limit':
            if not ordered[-1]:
                return True
        elif word.startswith('order'):
            ordered[-1] = True
    return False


def kind(sql, plain, sharded):
    if sharded[0] == 'err' and sharded[2].startswith('AB'):
        return 'both refuse' if plain[0] == 'err' else 'refused'
    if plain[0] != sharded[0]:
        return 'KIND'
    if plain[0] == 'err':
        return 'equal' if plain[1] == sharded[1] else 'ERROR'
    if plain[0] == 'ok':
        return 'equal' if plain == sharded else 'AFFECTED'
    if sorted(map(repr, plain[2])) != sorted(map(repr, sharded[2])):
        return 'open' if is_open(sql) and len(plain[2]) >= 1 else 'ROWS'
    if [each[0] for each in plain[1]] != [each[0] for each in sharded[1]]:
        return 'NAMES'
    # rows that are equal to ORDER BY may come in any order
    return 'equal' if plain[1] == sharded[1] else 'TYPES'


class Case:
    """One file: its tables get a rule each before they are made."""

    def __init__(self):
        self.plain, self.sharded = Side('BED_DIRECT_PORT', 'shards'), Side('BED_PROXY_PORT', 'shards')
        # tables, variables, prepared statements and FOUND_ROWS() that refused statements would have changed
        self.doubtful = set()
        self.plain.drop_all()
        for shard in range(4):
            side = Side('BED_BEHIND_PORT', 'shard_%d' % shard)
            side.drop_all()
            side.connection.close()
        for row in self.sharded.answer('SHOW SHARDING TABLE RULES')[2]:
            if not row[0].startswith('sharded_'):
                self.sharded.answer('DROP SHARDING TABLE RULE `%s`' % row[0])
        self.sharded.answer('REFRESH METADATA')

    def close(self):
        self.plain.connection.close()
        self.sharded.connection.close()

    def prepare(self, sql, create):
        """Whether the statement can be compared: what it names has been the same so far."""
        prepared = PREPARED.match(sql)
        if prepared:
            self.doubtful.discard(prepared.group(1).lower())
        if create:
            table, column = create.group(3).lower(), key(sql, create.end())
            is_there = self.plain.answer("SHOW TABLES LIKE '%s'" % table)[2]
            if not is_there or create.group(1):
                self.sharded.answer('DROP TABLE IF EXISTS `%s`' % table)
                self.sharded.answer('DROP SHARDING TABLE RULE IF EXISTS `%s`' % table)
                self.doubtful.discard(table)
                if column:
                    self.sharded.answer(
                        'CREATE SHARDING TABLE RULE `%s` (STORAGE_UNITS(ds_0, ds_1, ds_2, ds_3), SHARDING_COLUMN=`%s`,'
                        ' TYPE(NAME="hash_mod", PROPERTIES("sharding-count"="%d")))' % (table, column, SHARDS))
            if self.named(sql) - {table}:
                self.doubtful.add(table)
                return False
            return True
        return not self.named(sql)

    def named(self, sql):
        return self.doubtful & {word.lower() for word in NAME.findall(sql)}

    def compare(self, sql):
        if SKIPPED.search(sql):
            return 'skipped', None, None
        create = TABLE.match(sql)
        drops = re.match(r'\s*drop\s+tables?\b', sql, re.I)
        if not self.prepare(sql, create):
            if drops:
                self.plain.answer(sql)
                self.sharded.answer(sql)
            return 'behind a difference', None, None
        plain, sharded = self.plain.answer(sql), self.sharded.answer(sql)
        found = kind(sql, plain, sharded)
        if found == 'refused':
            self.doubtful |= {name.lower() for names in SET_VARIABLES.findall(sql) for name in names if name}
            self.doubtful |= {name.lower() for name in PREPARED.findall(sql)}
        if re.match(r'\s*\(*\s*select\b', sql, re.I):
            (self.doubtful.add if found == 'refused' else self.doubtful.discard)('found_rows')
        reads = re.match(r'\s*\(*\s*(select|show|desc|with|values|table|drop)\b', sql, re.I)
        if found in ('refused', 'KIND', 'AFFECTED') and not reads:
            self.doubtful |= {name.lower() for name in CHANGED.findall(sql)} - WORDS
            if create:
                self.doubtful.add(create.group(3).lower())
        return found, plain, sharded


def main():
    cases, results, differs, *files = sys.argv[1:]
    with open(differs, encoding='utf8') as lines:
        known = [line.strip() for line in lines if line.strip() and not line.startswith('#')]
    all_, refusals, wrong = collections.Counter(), collections.Counter(), 0
    for file in files:
        case, counts, start = Case(), collections.Counter(), time.monotonic()
        with open('%s/%s.log' % (results, file), 'w', encoding='utf8') as log:
            for sql in statements('%s/%s.test' % (cases, file)):
                if time.monotonic() - start > SECONDS_A_FILE:
                    counts['too late'] += 1
                    continue
                found, plain, sharded = case.compare(sql)
                if found.isupper() and any(re.search(each, file + ': ' + ' '.join(sql.split())) for each in known):
                    found = 'known'
                counts[found] += 1
                if found == 'refused':
                    refusals[NAMES.sub('?', sharded[2])[:110]] += 1
                if found.isupper() or found == 'refused':
                    log.write('== %s\n%s\n  one     %.700s\n  sharded %.700s\n' % (found, sql[:1500], plain, sharded))
        case.close()
        wrong += sum(count for each, count in counts.items() if each.isupper())
        all_ += counts
        print(file, dict(counts), flush=True)
    print('all', dict(all_))
    for text, count in refusals.most_common():
        print('%6d %s' % (count, text))
    sys.exit(wrong > 0)


if __name__ == '__main__':
    main()
