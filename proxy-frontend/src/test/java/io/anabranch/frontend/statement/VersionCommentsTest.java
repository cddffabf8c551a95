package io.anabranch.frontend.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    assertThatThrownBy(() -> unwrapped("8.0.40", "SET @a = 1 /*! , @b = /*!99999 2 */ 3 */"))
        .hasMessageContaining("AB2002");
    for (String inner : List.of("/*!", "/*!99999", "/*")) {
      String sql = "SET @a = 1 /*!99999 " + inner + " , @b = 2 */ */";
      assertThat(unwrapped("8.0.40", sql)).isEqualTo("SET @a = 1");
    }
  }

  private static String unwrapped(String version, String sql) {
    return new VersionComments(version)
        .unwrap(SourceText.of(sql, LexerMode.DEFAULT))
        .replaceAll(" +", " ")
        .strip();
  }
}
