package io.anabranch.backend.relay.column;

import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.NameMapping;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts logical names where the database says actual ones: in column definitions and in the text of
 * errors.
 */
public final class NameRewriter {

  /** Where errors tell a value, which is the client's whatever it looks like. */
  private static final List<Pattern> VALUES =
      List.of(
          Pattern.compile("(?s)Duplicate entry '(.*)' for key '[^']*'$"),
          Pattern.compile("(?s)value: '(.*)' for (?:column|function) "),
          Pattern.compile("(?s)value: '(.*)'$"));

  private final NameMapping names;
  private final String actualSchema;
  private final boolean renamesSchema;

  /** The same for names as they stand in packets. */
  private final ByteNames schemas;

  private final ByteNames tables;

  private NameRewriter(NameMapping names, String actualSchema, boolean renamesSchema) {
    this.names = names;
    this.actualSchema = actualSchema;
    this.renamesSchema = renamesSchema;
    this.schemas =
        actualSchema.isEmpty()
            ? new ByteNames(Map.of("", ""))
            : new ByteNames(
                Map.of(actualSchema, renamesSchema ? names.schema() : actualSchema, "", ""));
    this.tables = new ByteNames(names.tables());
  }

  /** Null when every name is right as it is. */
  public static @Nullable NameRewriter of(NameMapping names, String actualSchema) {
    boolean renamesSchema =
        !actualSchema.isEmpty()
            && !names.schema().isEmpty()
            && !names.schema().equals(actualSchema);
    return renamesSchema || !names.tables().isEmpty()
        ? new NameRewriter(names, actualSchema, renamesSchema)
        : null;
  }

  /** Schemas whose tables are {@link #tables()}: columns of derived tables have an empty one. */
  ByteNames schemas() {
    return schemas;
  }

  ByteNames tables() {
    return tables;
  }

  /**
   * An error's text: quoted names {@code 'schema.table'}, {@code `schema`.`table`}, {@code
   * 'table.key'}; {@code schema.function}. Values stay as they are.
   */
  public String rename(String text) {
    for (Pattern pattern : VALUES) {
      Matcher value = pattern.matcher(text);
      if (value.find()) {
        String before = renamed(text.substring(0, value.start(1)));
        return before + value.group(1) + renamed(text.substring(value.end(1)));
      }
    }
    return renamed(text);
  }

  private String renamed(String text) {
    String message =
        LogicalNames.ofConstraints(LogicalNames.ofSchema(text, names, actualSchema), names);
    var renamed = new StringBuilder(message.length());
    int from = 0;
    while (from < message.length()) {
      int end = from;
      while (end < message.length() && isNamePart(message.charAt(end))) {
        end++;
      }
      if (end == from) {
        renamed.append(message.charAt(from++));
        continue;
      }
      String name = message.substring(from, end);
      boolean quoted = from > 0 && isQuoteOrDot(message.charAt(from - 1));
      boolean closed = end < message.length() && isQuoteOrDot(message.charAt(end));
      renamed.append(quoted && closed ? logicalName(name, message, end) : name);
      from = end;
    }
    return renamed.toString();
  }

  private String logicalName(String name, String message, int end) {
    String table = names.tables().get(name);
    if (table != null) {
      return table;
    }
    boolean qualifies =
        message.charAt(end) == '.'
            || message.startsWith("`.", end)
            || message.startsWith("'.", end);
    return renamesSchema && qualifies && name.equals(actualSchema) ? names.schema() : name;
  }

  private static boolean isNamePart(char character) {
    return Character.isLetterOrDigit(character) || character == '_' || character == '$';
  }

  private static boolean isQuoteOrDot(char character) {
    return character == '\'' || character == '`' || character == '.';
  }
}
