package io.anabranch.frontend.administration;

import io.anabranch.frontend.administration.definition.ClauseParser;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * How a statement is written, in one line: words in capitals stand for themselves, a name in small
 * letters for a name or a value, brackets for what may be left out, {@code …} at the end for
 * whatever follows, and other characters for themselves. Immutable.
 */
public final class FormPattern {

  private static final String REST = "…";

  /** Words that are never names, so that what may be left out in front of them can be told. */
  private static final Set<String> BETWEEN = Set.of("FROM", "WHERE", "LIKE", "IF");

  private final String syntax;
  private final String lead;
  private final List<Element> elements;

  private sealed interface Element {

    record Word(String text) implements Element {}

    record Sign(String text) implements Element {}

    record Given(String name) implements Element {}

    record Maybe(List<Element> elements) implements Element {}

    record Rest() implements Element {}
  }

  private FormPattern(String syntax, String lead, List<Element> elements) {
    this.syntax = syntax;
    this.lead = lead;
    this.elements = elements;
  }

  /**
   * @param syntax as described at the class, its parts between blanks; brackets touch theirs
   */
  static FormPattern of(String syntax) {
    String spaced = syntax.replace("[", "[ ").replace("]", " ]");
    var parts = new ArrayList<>(List.of(spaced.split(" ", -1)));
    var lead = new ArrayList<String>();
    for (String part : parts) {
      if (!isWord(part)) {
        break;
      }
      lead.add(part);
    }
    return new FormPattern(syntax, String.join(" ", lead), elements(parts));
  }

  private static List<Element> elements(List<String> parts) {
    var elements = new ArrayList<Element>();
    while (!parts.isEmpty()) {
      String part = parts.removeFirst();
      if (part.equals("]")) {
        break;
      }
      if (part.equals("[")) {
        elements.add(new Element.Maybe(elements(parts)));
      } else if (part.equals(REST)) {
        elements.add(new Element.Rest());
      } else if (isWord(part)) {
        elements.add(new Element.Word(part));
      } else if (Character.isLetter(part.charAt(0))) {
        elements.add(new Element.Given(part));
      } else {
        elements.add(new Element.Sign(part));
      }
    }
    return List.copyOf(elements);
  }

  private static boolean isWord(String part) {
    return part.chars().allMatch(c -> c == '_' || (c >= 'A' && c <= 'Z'));
  }

  /** The line itself. */
  public String syntax() {
    return syntax;
  }

  /** Whether anything may follow its words. */
  boolean takesRest() {
    return elements.getLast() instanceof Element.Rest;
  }

  /** The words that it begins with. */
  String lead() {
    return lead;
  }

  /** Null if the statement is another. */
  @Nullable Match match(SqlTokens tokens, LexerMode mode) {
    var given = new HashMap<String, String>();
    int end = match(elements, tokens, 0, given, mode);
    if (end < 0) {
      return null;
    }
    return takesRest() || end == tokens.size() ? new Match(tokens, mode, given, end) : null;
  }

  /** Where the rest begins; -1 if it does not fit. */
  private static int match(
      List<Element> elements,
      SqlTokens tokens,
      int from,
      Map<String, String> given,
      LexerMode mode) {
    int at = from;
    for (Element element : elements) {
      switch (element) {
        case Element.Word(String text) -> at = tokens.isWord(at, text) ? at + 1 : -1;
        case Element.Sign(String text) -> at = tokens.text(at).equals(text) ? at + 1 : -1;
        case Element.Given(String name) -> {
          String value = value(tokens, at, mode);
          if (value == null) {
            return -1;
          }
          given.put(name, value);
          at++;
        }
        case Element.Maybe(List<Element> inner) -> {
          int behind = match(inner, tokens, at, given, mode);
          if (behind >= 0) {
            at = behind;
            given.put(words(inner), "");
          }
        }
        case Element.Rest() -> {
          // whatever stands there is for the handler
        }
      }
      if (at < 0) {
        return -1;
      }
    }
    return at;
  }

  private static String words(List<Element> elements) {
    var words = new StringJoiner(" ");
    for (Element element : elements) {
      if (element instanceof Element.Word(String text)) {
        words.add(text);
      }
    }
    return words.toString();
  }

  private static @Nullable String value(SqlTokens tokens, int token, LexerMode mode) {
    if (token >= tokens.size()) {
      return null;
    }
    return switch (tokens.kind(token)) {
      case WORD ->
          BETWEEN.stream().anyMatch(word -> tokens.isWord(token, word)) ? null : tokens.text(token);
      case QUOTED -> tokens.name(token);
      case STRING -> ClauseParser.string(tokens.text(token), mode);
      case NUMBER -> tokens.text(token);
      default -> null;
    };
  }
}
