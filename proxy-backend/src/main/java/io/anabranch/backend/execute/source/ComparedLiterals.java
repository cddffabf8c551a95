package io.anabranch.backend.execute.source;

import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.type.BinaryValue;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * The strings that a statement compares with something. Servers convert them once, before they read
 * rows; strings elsewhere, such as in sums and BETWEEN, are converted for each row.
 */
public final class ComparedLiterals {

  private final PlanNode root;
  private final ExecuteParameters parameters;
  private final Set<String> literals = new HashSet<>();
  private boolean isRead;

  /**
   * @param parameters of a prepared statement, all of which are taken for compared
   */
  public ComparedLiterals(PlanNode root, ExecuteParameters parameters) {
    this.root = root;
    this.parameters = parameters;
  }

  /** Whether the message quotes one of them. */
  boolean isMentioned(String message) {
    if (!isRead) {
      isRead = true;
      PlanPrinter.queries(root).stream().map(ShardQuery::sqlText).forEach(this::read);
      for (int i = 0; i < parameters.count(); i++) {
        byte[] value = parameters.value(i);
        if (value != null) {
          int prefix = BinaryValue.prefixSize(ColumnType.of(parameters.type(i)), value, 0);
          literals.add(new String(value, prefix, value.length - prefix, StandardCharsets.UTF_8));
        }
      }
    }
    return literals.stream().anyMatch(literal -> message.contains("'" + literal + "'"));
  }

  private void read(String sql) {
    SqlTokens tokens = SqlTokens.of(sql);
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.kind(i) == TokenKind.STRING && isCompared(tokens, i)) {
        String text = tokens.text(i);
        literals.add(text.substring(1, text.length() - 1));
      }
    }
  }

  private static boolean isCompared(SqlTokens tokens, int literal) {
    return isComparison(tokens, literal - 1)
        || isComparison(tokens, literal + 1)
        || isInList(tokens, literal);
  }

  private static boolean isComparison(SqlTokens tokens, int token) {
    if (token < 0 || token >= tokens.size() || tokens.kind(token) != TokenKind.OPERATOR) {
      return false;
    }
    return switch (tokens.text(token)) {
      case "=", "<=>", "<>", "!=", "<", "<=", ">", ">=" -> true;
      default -> false;
    };
  }

  /** {@code IN ('x', …)}, of strings alone: other lists are compared anew for each row. */
  private static boolean isInList(SqlTokens tokens, int literal) {
    int open = literal - 1;
    while (open > 0 && isOfStrings(tokens, open)) {
      open--;
    }
    int close = literal + 1;
    while (close < tokens.size() && isOfStrings(tokens, close)) {
      close++;
    }
    return tokens.isPunctuation(open, '(')
        && tokens.isWord(open - 1, "IN")
        && tokens.isPunctuation(close, ')');
  }

  private static boolean isOfStrings(SqlTokens tokens, int token) {
    return tokens.kind(token) == TokenKind.STRING || tokens.isPunctuation(token, ',');
  }
}
