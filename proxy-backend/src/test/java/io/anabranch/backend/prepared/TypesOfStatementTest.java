package io.anabranch.backend.prepared;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.protocol.parameter.TypeHistory;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypesOfStatementTest {

  private static final int[] ONE = {0};
  private static final StatementParameter NUMBER = new StatementParameter(8, new byte[8]);
  private static final StatementParameter TEXT =
      new StatementParameter(253, new byte[] {1, (byte) 'x'});
  private static final StatementParameter NULL = new StatementParameter(6, null);

  private static ExecuteParameters values(TypeHistory of, StatementParameter... values) {
    return ExecuteParameters.of(values).of(of);
  }

  private static TypesOfStatement overText(String sql) {
    var column = new ResultColumn("", "", "", "?", "", 45, 80, 253, 0, 31);
    byte[] text = sql.getBytes(StandardCharsets.UTF_8);
    return new TypesOfStatement(MarkerTypes.of(List.of(column), text));
  }

  @Test
  void anotherTypeIsForAnotherStatement() {
    TypesOfStatement types = overText("SELECT a FROM t WHERE a = ?");
    assertThat(types.takes(values(new TypeHistory(), NUMBER), ONE)).isFalse();

    assertThat(types.use(values(new TypeHistory(), NUMBER), ONE)).isTrue();

    assertThat(types.takes(values(new TypeHistory(), NUMBER), ONE)).isTrue();
    assertThat(types.takes(values(new TypeHistory(), TEXT), ONE)).isFalse();
    assertThat(types.isChanged()).isTrue();
  }

  @Test
  void floatingNumbersAreNoOthersExactOnes() {
    var column = new ResultColumn("", "", "", "?", "", 63, 20, 8, 0, 0);
    byte[] sql = "INSERT INTO t (a) VALUES (?)".getBytes(StandardCharsets.UTF_8);
    var floating = new StatementParameter(5, new byte[8]);
    var types = new TypesOfStatement(MarkerTypes.of(List.of(column), sql));
    types.use(values(new TypeHistory(), floating), ONE);

    assertThat(types.takes(values(new TypeHistory(), floating), ONE)).isTrue();
    assertThat(types.takes(values(new TypeHistory(), text("9007199254740993")), ONE)).isFalse();

    var exact = new TypesOfStatement(MarkerTypes.of(List.of(column), sql));
    exact.use(values(new TypeHistory(), text("9007199254740993")), ONE);
    assertThat(exact.takes(values(new TypeHistory(), text("5")), ONE)).isTrue();
    assertThat(exact.takes(values(new TypeHistory(), NUMBER), ONE)).isTrue();
    assertThat(exact.takes(values(new TypeHistory(), floating), ONE)).isFalse();
  }

  @Test
  void nullIsOfAnyType() {
    TypesOfStatement types = overText("SELECT a FROM t WHERE a = ?");
    assertThat(types.use(values(new TypeHistory(), NULL), ONE)).isTrue();
    assertThat(types.takes(values(new TypeHistory(), TEXT), ONE)).isTrue();
    assertThat(types.takes(values(new TypeHistory(), NULL), ONE)).isTrue();
    assertThat(types.takes(values(new TypeHistory(), NUMBER), ONE)).isFalse();
  }

  @Test
  void whatIsNoDayIsForAStatementThatNobodyHasExecuted() {
    var date = new ResultColumn("", "", "", "?", "", 63, 10, 10, 0, 0);
    byte[] listed = "SELECT a FROM t WHERE d IN (?)".getBytes(StandardCharsets.UTF_8);
    var types = new TypesOfStatement(MarkerTypes.of(List.of(date), listed));
    types.use(values(new TypeHistory(), text("2024-02-29")), ONE);

    assertThat(types.takes(values(new TypeHistory(), text("2024-03-31")), ONE)).isTrue();
    // the server prepares it anew, as of a DATETIME
    assertThat(types.takes(values(new TypeHistory(), text("2024-03-31 23:59:59.5")), ONE))
        .isFalse();
    assertThat(types.takes(values(new TypeHistory(), NULL), ONE)).isTrue();
    for (String none : List.of("", "x", "2024-02-30", "2024-00-00", "2024-03-31 24:00:00", "5")) {
      assertThat(types.takes(values(new TypeHistory(), text(none)), ONE)).as(none).isFalse();
    }

    byte[] storing = "INSERT INTO t (d) VALUES (?)".getBytes(StandardCharsets.UTF_8);
    types = new TypesOfStatement(MarkerTypes.of(List.of(date), storing));
    types.use(values(new TypeHistory(), text("2024-02-29")), ONE);
    assertThat(types.takes(values(new TypeHistory(), text("")), ONE)).isTrue();
  }

  private static StatementParameter text(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    byte[] prefixed = new byte[bytes.length + 1];
    prefixed[0] = (byte) bytes.length;
    System.arraycopy(bytes, 0, prefixed, 1, bytes.length);
    return new StatementParameter(253, prefixed);
  }

  @Test
  void aHandleKeepsItsOwnTypes() {
    var handle = new TypeHistory();
    TypesOfStatement numbers = overText("SELECT a FROM t WHERE a = ?");
    assertThat(numbers.use(values(handle, NUMBER), ONE)).isTrue();

    TypesOfStatement fresh = overText("SELECT a FROM t WHERE a = ?");
    ExecuteParameters text = values(handle, TEXT);
    assertThat(fresh.use(text, ONE)).isFalse();
    ExecuteParameters missing = fresh.missing(text, ONE);
    assertThat(requireNonNull(missing).type(0)).isEqualTo(8);
    assertThat(fresh.takes(values(new TypeHistory(), TEXT), ONE)).isFalse();
    assertThat(fresh.takes(values(handle, TEXT), ONE)).isTrue();
  }

  @Test
  void whatIsStoredCountsForNothing() {
    var handle = new TypeHistory();
    var column = new ResultColumn("", "", "", "?", "", 63, 80, 8, 128, 0);
    byte[] sql = "INSERT INTO t VALUES (?)".getBytes(StandardCharsets.UTF_8);
    var types = new TypesOfStatement(MarkerTypes.of(List.of(column), sql));
    var decimal = new StatementParameter(246, new byte[] {3, '1', '.', '5'});
    assertThat(types.use(values(handle, decimal), ONE)).isTrue();
    for (StatementParameter each : List.of(NUMBER, TEXT, NULL)) {
      assertThat(types.takes(values(new TypeHistory(), each), ONE)).isTrue();
      assertThat(types.takes(values(handle, each), ONE)).isTrue();
    }
    assertThat(types.isChanged()).isFalse();
  }
}
