package io.anabranch.rules.file;

import io.anabranch.rules.value.FileCharacters;
import org.jspecify.annotations.Nullable;

/**
 * How the lines of a file that is loaded are read. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/load-data.html">LOAD DATA</a>.
 *
 * @param charset of the file, as in {@code CHARACTER SET}; null: {@code character_set_database}
 * @param fieldEnd never empty
 * @param enclosing the character around fields; -1 for none
 * @param escape the character in front of special ones; -1 for none
 * @param lineStart what is in front of a line's fields, and what is before it does not count; may
 *     be empty
 * @param lineEnd never empty
 * @param skippedLines lines at the beginning that are no rows
 * @param columns for each field its position in the row; -1 for fields that are read away
 */
public record FileFormat(
    @Nullable FileCharacters charset,
    byte[] fieldEnd,
    int enclosing,
    int escape,
    byte[] lineStart,
    byte[] lineEnd,
    long skippedLines,
    int[] columns) {}
