package io.anabranch.app.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The suites under {@code src/it/drivers}, which install their drivers from the registries; run by
 * the profile {@code drivers}.
 */
@EnabledIfSystemProperty(named = "drivers.suites", matches = ".+")
class DriversIT {

  @Test
  void answersThroughTheProxyAreTheServersOwn() throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("src/it/drivers/compare.sh"));
    command.addAll(List.of(System.getProperty("drivers.suites", "").split(" ", -1)));
    Path log = Path.of("target", "drivers.log");
    Process suites =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    int status = suites.waitFor();
    assertThat(status).as(Files.readString(log)).isZero();
  }
}
