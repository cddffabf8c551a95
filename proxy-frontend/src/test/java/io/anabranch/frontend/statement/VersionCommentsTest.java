package io.anabranch.frontend.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionCommentsTest {

  private static final String MARIADB = "5.5.5-10.11.19-MariaDB-0+deb12u1";

  @Test
  void takesTheMarksOfCommentsThatRun() {
    assertThat(unwrapped("8.0.40", "/*!40101 SET NAMES utf8mb4 */")).isEqualTo("SET NAMES utf8mb4");
    assertThat(unwrapped(MARIADB, "/*!40101 SET NAMES utf8mb4 */")).isEqualTo("SET NAMES utf8mb4");
    assertThat(unwrapped("8.0.40", "START TRANSACTION /*!40100 WITH CONSISTENT SNAPSHOT */"))
        .isEqualTo("START TRANSACTION WITH CONSISTENT SNAPSHOT");
    assertThat(unwrapped("8.0.40", "SET /*! @a = 1 */, @b = '/*!40101 x */'"))
        .isEqualTo("SET @a = 1 , @b = '/*!40101 x */'");
  }

  @Test
  void leavesOutWhatTheServerDoesNotRun() {
    assertThat(unwrapped("5.7.44", "SET @a = 1 /*!80000 , @b = 2 */")).isEqualTo("SET @a = 1");
    assertThat(unwrapped("8.0.40", "/*M!100616 SET @a = 1 */")).isEqualTo("/**/");
    assertThat(unwrapped(MARIADB, "/*M!100616 SET @a = 1 */")).isEqualTo("SET @a = 1");
    assertThat(unwrapped(MARIADB, "/*M!110400 SET @a = 1 */")).isEqualTo("/**/");
    assertThat(unwrapped(MARIADB, "/*!80000 SET @a = 1 */")).isEqualTo("/**/");
    assertThat(unwrapped(MARIADB, "/*!100500 SET @a = 1 */")).isEqualTo("SET @a = 1");
  }

  /** What closes one closes those in it, unless the server skips it to its own end. */
  @Test
  void oneInAnotherRunsOrIsRefused() {
    assertThat(unwrapped("8.0.40", "SET /*! @a = 1 /*!40000 , @b = 2 */"))
        .isEqualTo("SET @a = 1 , @b = 2");
    assertThat(unwrapped("8.0.40", "SET @a = 1 /*! , @b = /*!99999 2 */ 3 */"))
        .isEqualTo("SET @a = 1 , @b = 3");
    for (String inner : List.of("/*!", "/*!99999", "/*")) {
      String sql = "SET @a = 1 /*!99999 " + inner + " , @b = 2 */ */";
      assertThat(unwrapped("8.0.40", sql)).isEqualTo("SET @a = 1");
    }
  }

  /** A server passes over what it does not run by its bytes: quotes and the like mean nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"it's", "a \"b", "`", "# all", "-- all", "don''t '", "/* b */ '", "x'1"})
  void whatIsInOneThatIsNotRunEndsWithIt(String inner) {
    assertThat(unwrapped("9.7.0", "DELETE FROM t /*!99999 " + inner + "*/ WHERE id = 1"))
        .isEqualTo("DELETE FROM t WHERE id = 1");
    assertThat(unwrapped(MARIADB, "DELETE FROM t /*!50701" + inner + "*/ WHERE id = 1"))
        .isEqualTo("DELETE FROM t WHERE id = 1");
    assertThat(unwrapped("9.7.0", "/*!99999 " + inner + "*/ DELETE FROM t"))
        .isEqualTo("DELETE FROM t");
    assertThat(
            unwrapped(
                "9.7.0", "SET @a = 1 /*!99999 " + inner + "*/, @b = 2 /*!99999 " + inner + "*/"))
        .isEqualTo("SET @a = 1 , @b = 2");
  }

  /** Fewer than five digits are text, and so is what follows the sixth. */
  @Test
  void aVersionHasFiveOrSixDigits() {
    assertThat(unwrapped("9.7.0", "SELECT /*!1 */ + 1")).isEqualTo("SELECT 1 + 1");
    assertThat(unwrapped("9.7.0", "SELECT 1 /*!090700 + 1 */")).isEqualTo("SELECT 1 + 1");
    assertThat(unwrapped("9.7.0", "SELECT 1 /*!090800 + 1 */")).isEqualTo("SELECT 1");
    assertThat(unwrapped("9.7.0", "SELECT /*!500001,2*/")).isEqualTo("SELECT 1,2");
    assertThat(unwrapped(MARIADB, "SELECT /*!1005001,2*/")).isEqualTo("SELECT 1,2");
    assertThat(unwrapped(MARIADB, "/*M!999999\\- enable the sandbox mode */")).isEqualTo("/**/");
  }

  @Test
  void oneWithoutAnEndIsAnError() {
    assertThatThrownBy(() -> unwrapped("9.7.0", "DELETE FROM t /*! WHERE id = 1"))
        .hasMessageContaining("near '/*! WHERE");
  }

  private static String unwrapped(String version, String sql) {
    return new VersionComments(version)
        .unwrap(SourceText.of(sql, LexerMode.DEFAULT))
        .replaceAll(" +", " ")
        .strip();
  }
}
