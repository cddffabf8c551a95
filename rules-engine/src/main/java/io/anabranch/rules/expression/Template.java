package io.anabranch.rules.expression;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Text with {@code ${expression}} or {@code $->{expression}} parts. Immutable, thread-safe. */
public final class Template {

  /** Names that one row expression may give. */
  static final int MAX_NAMES = 100_000;

  private final String source;
  private final List<Object> parts;
  private final List<String> variables;
  private final List<String> slotNames;
  private final int slots;

  private Template(String source, List<Object> parts, List<String> slots) {
    this.source = source;
    this.parts = List.copyOf(parts);
    this.slots = slots.size();
    this.variables = slots.stream().filter(name -> !name.startsWith("(")).toList();
    this.slotNames = List.copyOf(slots);
  }

  /**
   * @throws ExpressionException with the place
   */
  public static Template parse(String source) {
    List<Object> parts = new ArrayList<>();
    List<String> variables = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < source.length()) {
      char c = source.charAt(at);
      int open = openBrace(source, at);
      if (open >= 0) {
        if (!text.isEmpty()) {
          parts.add(text.toString());
          text.setLength(0);
        }
        int close = closeBrace(source, open);
        try {
          String inner = source.substring(open + 1, close);
          parts.add(new ExpressionParser(inner, variables).parse());
        } catch (ExpressionException e) {
          throw e.shifted(open + 1);
        }
        at = close + 1;
      } else if (c == '$') {
        throw new ExpressionException(at, "'$' without '{'; write ${name} or $->{name}");
      } else if (c == '\\') {
        throw new ExpressionException(at, "'\\' is not supported outside of ${}");
      } else {
        text.append(c);
        at++;
      }
    }
    if (!text.isEmpty()) {
      parts.add(text.toString());
    }
    return new Template(source, parts, variables);
  }

  /** Where the brace of a dollar-brace at {@code at} is, arrow or not; -1 if there is none. */
  static int openBrace(String source, int at) {
    if (source.startsWith("${", at)) {
      return at + 1;
    }
    return source.startsWith("$->{", at) ? at + 3 : -1;
  }

  /** The brace that closes the one at {@code open}, strings and inner braces skipped. */
  static int closeBrace(String source, int open) {
    int depth = 0;
    char quote = 0;
    for (int at = open; at < source.length(); at++) {
      char c = source.charAt(at);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return at;
      }
    }
    throw new ExpressionException(open, "'{' is not closed");
  }

  /** Names that the expressions use, in order of their first use. */
  public List<String> variables() {
    return variables;
  }

  /**
   * The text for these values.
   *
   * @param values by the index of {@link #variables}; Integer, Long, BigInteger, BigDecimal, String
   * @throws ExpressionException if the values do not suit the expression
   */
  public String evaluate(Object... values) {
    Object[] frame = frame(values);
    StringBuilder text = new StringBuilder();
    for (Object part : parts) {
      text.append(part instanceof Expression e ? Numbers.text(e.evaluate(frame)) : part);
    }
    return text.toString();
  }

  /**
   * All texts of a template without variables: lists and ranges become one text for each element,
   * several of them their product, the left the slowest.
   */
  public List<String> expand() {
    if (!variables.isEmpty()) {
      throw new ExpressionException(
          Math.max(0, source.indexOf(variables.getFirst())),
          "unknown name '" + variables.getFirst() + "'; strings need quotes");
    }
    Object[] frame = new Object[slots];
    List<String> texts = List.of("");
    for (Object part : parts) {
      Object value = part instanceof Expression e ? e.evaluate(frame) : part;
      List<?> endings = value instanceof List<?> list ? list : List.of(value);
      if ((long) texts.size() * endings.size() > MAX_NAMES) {
        throw new ExpressionException(0, "gives more than " + MAX_NAMES + " names");
      }
      List<String> longer = new ArrayList<>(texts.size() * endings.size());
      for (String text : texts) {
        for (Object ending : endings) {
          longer.add(text + Numbers.text(ending));
        }
      }
      texts = longer;
    }
    return texts;
  }

  /** The commonest shape, {@code prefix${column % n}suffix}; null if it is another. */
  public @Nullable Modulo asModulo() {
    String prefix = "";
    String suffix = "";
    Expression.Arithmetic found = null;
    for (Object part : parts) {
      if (part instanceof Expression.Arithmetic arithmetic && found == null) {
        found = arithmetic;
      } else if (part instanceof String text) {
        prefix = found == null ? text : prefix;
        suffix = found == null ? suffix : text;
      } else {
        return null;
      }
    }
    return found != null
            && found.operator() == '%'
            && found.left() instanceof Expression.Variable
            && found.right() instanceof Expression.Literal(Object value)
            && value instanceof Integer divisor
            && divisor > 0
        ? new Modulo(prefix, divisor, suffix)
        : null;
  }

  /** Whether every {@code ${}} part ends in {@code % n}: then the texts are few and known. */
  public boolean isCyclic() {
    for (Object part : parts) {
      boolean cyclic =
          part instanceof String
              || (part instanceof Expression.Arithmetic(char operator, _, Expression right, _)
                  && operator == '%'
                  && right instanceof Expression.Literal);
      if (!cyclic) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return source;
  }

  private Object[] frame(Object[] values) {
    if (values.length != variables.size()) {
      throw new IllegalArgumentException("needs values for " + variables);
    }
    if (slots == values.length) {
      return values;
    }
    Object[] frame = new Object[slots];
    int value = 0;
    for (int slot = 0; slot < slots; slot++) {
      if (!slotNames.get(slot).startsWith("(")) {
        frame[slot] = values[value++];
      }
    }
    return frame;
  }

  /**
   * {@code prefix${column % divisor}suffix}.
   *
   * @param divisor positive
   */
  public record Modulo(String prefix, int divisor, String suffix) {}
}
