package io.anabranch.rules.sql;

import com.alibaba.druid.sql.ast.SQLStatement;
import com.alibaba.druid.sql.dialect.mysql.parser.MySqlStatementParser;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Text to facts by Druid's MySQL parser. Stateless. */
public final class SqlParser {

  /**
   * @param orIsDoubtful whether the text has operators that {@code sql_mode} gives another meaning:
   *     then no OR is believed
   * @return empty if Druid does not take the text, or if it is not one query, UPDATE or DELETE
   */
  public Optional<StatementFacts> parse(MarkedText text, boolean orIsDoubtful) {
    SQLStatement statement = tree(text.sql());
    if (statement == null) {
      return Optional.empty();
    }
    return new FactReader(text, orIsDoubtful).read(statement);
  }

  /**
   * Where a statement reads the tables of its WITH clauses, in the order of the text.
   *
   * @return empty if Druid does not take the text
   */
  public Optional<List<CommonTableMention>> commonTables(MarkedText text) {
    SQLStatement statement = tree(text.sql());
    if (statement == null) {
      return Optional.empty();
    }
    var reader = new CommonTableReader(text);
    statement.accept(reader);
    return Optional.of(reader.found());
  }

  private static @Nullable SQLStatement tree(String sql) {
    try {
      var statements = new MySqlStatementParser(sql).parseStatementList();
      return statements.size() == 1 ? statements.getFirst() : null;
    } catch (RuntimeException | LinkageError notTaken) {
      // Besides ParserException, Druid lets slip what its own bugs throw; none of it is news to us.
      return null;
    }
  }
}
