package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {

  @Test
  void listensOnTheLoopbackAddressUnlessTold() {
    assertThat(CommandLine.parse("-c", "conf"))
        .isEqualTo(new CommandLine("127.0.0.1", 0, null, Path.of("conf"), null));
    assertThat(
            CommandLine.parse(
                "-a", "::1", "-p", "4000", "-s", "x/s", "-c", "a b", "--address-file", "x/address"))
        .isEqualTo(
            new CommandLine("::1", 4000, Path.of("x/s"), Path.of("a b"), Path.of("x/address")));
  }

  @ParameterizedTest
  @CsvSource({
    "'', -c CONF_DIR is missing",
    "-p, -p needs a value",
    "-c x -p 0, between 1 and 65535",
    "-c x -p 70000, between 1 and 65535",
    "-c x -p http, a port is a number",
    "-c x --port 3307, unknown argument --port",
  })
  void saysWhichArgumentIsWrong(String arguments, String message) {
    assertThatThrownBy(
            () -> CommandLine.parse(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
