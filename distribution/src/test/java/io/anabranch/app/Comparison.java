package io.anabranch.app;

import java.sql.Connection;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.assertj.core.api.SoftAssertions;

/**
 * Runs statements through the proxy and on one plain database: they must answer the same.
 *
 * @param expected makes of the plain database's answer what the proxy's client is to see
 */
record Comparison(Connection proxied, Connection plain, UnaryOperator<String> expected) {

  Comparison(Connection proxied, Connection plain) {
    this(proxied, plain, UnaryOperator.identity());
  }

  void same(String... statements) {
    same("", Transcript::of, statements);
  }

  void samePrepared(String... statements) {
    same("prepared ", Transcript::prepared, statements);
  }

  private void same(
      String way, BiFunction<Connection, String, Transcript> asking, String... statements) {
    var softly = new SoftAssertions();
    for (String sql : statements) {
      String wanted = expected.apply(asking.apply(plain, sql).toString());
      softly.assertThat(asking.apply(proxied, sql).toString()).as(way + sql).isEqualTo(wanted);
    }
    softly.assertAll();
  }
}
