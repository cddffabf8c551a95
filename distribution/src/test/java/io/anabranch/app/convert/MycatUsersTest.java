package io.anabranch.app.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody gets more rights than it had. */
class MycatUsersTest {

  @TempDir Path folder;

  private final List<Leftover> leftovers = new ArrayList<>();

  private String converted(String user) throws Exception {
    Path file = folder.resolve("server.xml");
    Files.writeString(file, "<server><user name=\"u\">" + user + "</user></server>");
    return new MycatUsers(leftovers).yaml(XmlElement.read(file));
  }

  private static String property(String name, String value) {
    return "<property name=\"" + name + "\">" + value + "</property>";
  }

  @Test
  void withoutSchemasItHasAllOfThemAndNothingElse() throws Exception {
    assertThat(converted(property("password", "x"))).contains("grants: [\"ALL ON *.*\"]");
    assertThat(converted(property("readOnly", "true"))).contains("grants: [\"READ ON *.*\"]");
    assertThat(leftovers).isEmpty();
  }

  @Test
  void rightsThatAreNotSaidAreTold() throws Exception {
    assertThat(
            converted(
                "<privileges check=\"true\"><schema name=\"shop\" dml=\"0010\"/></privileges>"))
        .contains("grants: [\"ALL ON *.*\"]");
    assertThat(leftovers)
        .singleElement()
        .asString()
        .contains("user u, rights on shop", "Grant schemas instead");
  }
}
