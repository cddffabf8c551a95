package io.anabranch.backend.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredMarkersTest {

  /** A letter per marker: s for those that are values of columns alone. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO t VALUES (?, ?) | ss",
        "INSERT INTO t (a, b) VALUES (?, ? + 1), (?, (?)) | s-s-",
        "REPLACE INTO t VALUE (?) | s",
        "INSERT INTO t VALUES (f(?), ?, ABS(?)) | -s-",
        "INSERT INTO t VALUES ROW(?, 1), ROW(2, ?) | ss",
        "INSERT INTO t SET a = ?, b = ? + 1, c = ? | s-s",
        "INSERT INTO t VALUES (?) ON DUPLICATE KEY UPDATE a = ?, b = b + ? | ss-",
        "INSERT INTO t VALUES (?) ON DUPLICATE KEY UPDATE a = GREATEST(?, 1) | s-",
        "INSERT INTO t SELECT ?, a FROM u WHERE b = ? | --",
        "UPDATE t SET a = ?, t.b = ? WHERE c = ? AND d = ? ORDER BY e LIMIT ? | ss---",
        "UPDATE t SET a = ? | s",
        "UPDATE t SET a = ? + 1, b = -? WHERE c = ? | ---",
        "UPDATE t JOIN u ON t.a = ? SET t.b = ?, u.c = ? | -ss",
        "DELETE FROM t WHERE a = ? | -",
        "SELECT a = ? FROM t | -"
      })
  void markersThatAreStored(String sql, String expected) {
    boolean[] stored = StoredMarkers.of(sql.getBytes(StandardCharsets.UTF_8), expected.length());
    var letters = new StringBuilder();
    for (boolean each : stored) {
      letters.append(each ? 's' : '-');
    }
    assertThat(letters).hasToString(expected);
  }
}
