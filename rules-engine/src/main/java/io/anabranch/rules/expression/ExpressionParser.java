package io.anabranch.rules.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Recursive descent with Groovy's precedence: {@code ?:}, or, and, equality, order, range, sum. */
final class ExpressionParser {

  private static final int MAX_DEPTH = 64;
  private static final Set<String> CAST_TYPES = Set.of("int", "long", "Integer", "Long", "String");
  private static final Set<String> RESERVED =
      Set.of("new", "def", "return", "import", "class", "null", "this", "in", "instanceof", "as");

  private final List<Token> tokens;
  private final List<String> variables;
  private final List<String> closureParameters = new ArrayList<>();
  private final List<Integer> closureSlots = new ArrayList<>();
  private int next;
  private int depth;

  /**
   * @param variables names by slot; grows by what this expression uses; closure parameters take
   *     slots under names that no expression can spell
   */
  ExpressionParser(String source, List<String> variables) {
    this.tokens = Token.split(source);
    this.variables = variables;
  }

  Expression parse() {
    Expression result = expression();
    if (peek().kind() != Token.Kind.END) {
      throw unexpected();
    }
    return result;
  }

  private Expression expression() {
    if (++depth > MAX_DEPTH) {
      throw new ExpressionException(peek().position(), "nested too deeply");
    }
    Expression condition = or();
    if (accept("?")) {
      Expression yes = expression();
      expect(":");
      Expression no = expression();
      condition = new Expression.Conditional(condition, yes, no);
    }
    depth--;
    return condition;
  }

  private Expression or() {
    Expression left = and();
    while (accept("||")) {
      left = new Expression.Logic(false, left, and());
    }
    return left;
  }

  private Expression and() {
    Expression left = equality();
    while (accept("&&")) {
      left = new Expression.Logic(true, left, equality());
    }
    return left;
  }

  private Expression equality() {
    Expression left = relation();
    while (peek().is("==") || peek().is("!=")) {
      Token operator = take();
      left = new Expression.Comparison(operator.text(), left, relation(), operator.position());
    }
    return left;
  }

  private Expression relation() {
    Expression left = range();
    while (peek().is("<") || peek().is("<=") || peek().is(">") || peek().is(">=")) {
      Token operator = take();
      left = new Expression.Comparison(operator.text(), left, range(), operator.position());
    }
    return left;
  }

  private Expression range() {
    Expression from = sum();
    if (peek().is("..")) {
      Token operator = take();
      return new Expression.Range(from, sum(), operator.position());
    }
    return from;
  }

  private Expression sum() {
    Expression left = product();
    while (peek().is("+") || peek().is("-")) {
      Token operator = take();
      left =
          new Expression.Arithmetic(
              operator.text().charAt(0), left, product(), operator.position());
    }
    return left;
  }

  private Expression product() {
    Expression left = unary();
    while (peek().is("*") || peek().is("/") || peek().is("%")) {
      Token operator = take();
      left =
          new Expression.Arithmetic(operator.text().charAt(0), left, unary(), operator.position());
    }
    return left;
  }

  private Expression unary() {
    if (++depth > MAX_DEPTH) {
      throw new ExpressionException(peek().position(), "nested too deeply");
    }
    Expression result;
    Token token = peek();
    if (accept("-")) {
      result = new Expression.Negation(unary(), token.position());
    } else if (accept("+")) {
      result = unary();
    } else if (accept("!")) {
      result = new Expression.Not(unary());
    } else if (isCast()) {
      take();
      String type = take().text();
      take();
      result = new Expression.Cast(type, unary(), token.position());
    } else {
      result = postfix(primary());
    }
    depth--;
    return result;
  }

  private boolean isCast() {
    return peek().is("(")
        && next + 2 < tokens.size()
        && tokens.get(next + 1).kind() == Token.Kind.NAME
        && CAST_TYPES.contains(tokens.get(next + 1).text())
        && tokens.get(next + 2).is(")");
  }

  private Expression postfix(Expression start) {
    Expression result = start;
    while (true) {
      Token token = peek();
      if (accept(".")) {
        Token method = name("a method's name");
        if (method.text().equals("collect") && peek().is("{")) {
          result = collect(result, method.position());
        } else {
          List<Expression> arguments = arguments();
          String signature = signature("", method, arguments);
          result = new Expression.Call(result, signature, arguments, method.position());
        }
      } else if (accept("[")) {
        result = new Expression.Index(result, expression(), token.position());
        expect("]");
      } else {
        return result;
      }
    }
  }

  private Expression collect(Expression receiver, int position) {
    expect("{");
    String parameter = "it";
    if (peek().kind() == Token.Kind.NAME && tokens.get(next + 1).is("->")) {
      parameter = take().text();
      take();
    }
    int slot = variables.size();
    variables.add("(" + parameter + ")");
    closureParameters.addLast(parameter);
    closureSlots.addLast(slot);
    Expression body = expression();
    closureParameters.removeLast();
    closureSlots.removeLast();
    expect("}");
    return new Expression.Collect(receiver, slot, body, position);
  }

  private Expression primary() {
    Token token = peek();
    if (token.kind() == Token.Kind.END || token.kind() == Token.Kind.SYMBOL) {
      return bracketed();
    }
    take();
    return switch (token.kind()) {
      case NUMBER -> new Expression.Literal(number(token));
      case STRING -> new Expression.Literal(token.text());
      default -> named(token);
    };
  }

  private Expression bracketed() {
    if (accept("(")) {
      Expression inner = expression();
      expect(")");
      return inner;
    }
    if (accept("[")) {
      return new Expression.ListOf(list("]"));
    }
    throw unexpected();
  }

  private Expression named(Token token) {
    String name = token.text();
    if (name.equals("true") || name.equals("false")) {
      return new Expression.Literal(name.equals("true"));
    }
    if (RESERVED.contains(name)) {
      throw new ExpressionException(token.position(), "'" + name + "' is not supported");
    }
    if (Methods.isStaticType(name) && peek().is(".")) {
      take();
      Token method = name("a method's name");
      List<Expression> arguments = arguments();
      String signature = signature(name + ".", method, arguments);
      return new Expression.StaticCall(signature, arguments, token.position());
    }
    if (peek().is("(")) {
      throw new ExpressionException(
          token.position(), "the function '" + name + "' is not supported");
    }
    int closure = closureParameters.lastIndexOf(name);
    if (closure >= 0) {
      return new Expression.Variable(closureSlots.get(closure));
    }
    int slot = variables.indexOf(name);
    if (slot < 0) {
      slot = variables.size();
      variables.add(name);
    }
    return new Expression.Variable(slot);
  }

  private static String signature(String type, Token method, List<Expression> arguments) {
    String signature = type + method.text() + "/" + arguments.size();
    if (!Methods.exists(signature)) {
      throw new ExpressionException(
          method.position(),
          "the method '"
              + type
              + method.text()
              + "' with "
              + arguments.size()
              + " arguments is not supported");
    }
    return signature;
  }

  private List<Expression> arguments() {
    expect("(");
    return list(")");
  }

  private List<Expression> list(String end) {
    List<Expression> elements = new ArrayList<>();
    if (accept(end)) {
      return elements;
    }
    do {
      elements.add(expression());
    } while (accept(","));
    expect(end);
    return elements;
  }

  private static Object number(Token token) {
    String text = token.text();
    if (text.indexOf('.') >= 0) {
      return new BigDecimal(text);
    }
    char last = Character.toUpperCase(text.charAt(text.length() - 1));
    BigInteger value =
        new BigInteger(Character.isDigit(last) ? text : text.substring(0, text.length() - 1));
    if (last == 'G') {
      return value;
    }
    if (last == 'L' || value.bitLength() > 31) {
      if (value.bitLength() > 63) {
        return value;
      }
      return value.longValue();
    }
    return value.intValue();
  }

  private Token peek() {
    return tokens.get(next);
  }

  private Token take() {
    Token token = tokens.get(next);
    if (token.kind() != Token.Kind.END) {
      next++;
    }
    return token;
  }

  private boolean accept(String symbol) {
    if (peek().is(symbol)) {
      next++;
      return true;
    }
    return false;
  }

  private void expect(String symbol) {
    if (!accept(symbol)) {
      throw new ExpressionException(
          peek().position(), "expected '" + symbol + "' but found '" + peek().text() + "'");
    }
  }

  private Token name(String what) {
    if (peek().kind() != Token.Kind.NAME) {
      throw new ExpressionException(
          peek().position(), "expected " + what + " but found '" + peek().text() + "'");
    }
    return take();
  }

  private ExpressionException unexpected() {
    return new ExpressionException(peek().position(), "unexpected '" + peek().text() + "'");
  }
}
