package io.anabranch.frontend.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.catalog.SchemaCatalog.DescribeException;
import io.anabranch.rules.error.ErrorCatalogue;
import org.junit.jupiter.api.Test;

class FailuresTest {

  @Test
  void refusalsKeepTheirNumbers() {
    assertThat(Failures.packet(ErrorCatalogue.UNKNOWN_DATABASE.refuse("x"), "test"))
        .isEqualTo(new ErrPacket(1049, "42000", "Unknown database 'x'"));
  }

  @Test
  void errorsOfDatabasesArePassedOn() {
    assertThat(Failures.packet(new ShardException.Database(1062, "23000", "Duplicate"), "test"))
        .isEqualTo(new ErrPacket(1062, "23000", "Duplicate"));
    assertThat(Failures.packet(new DescribeException(1146, "42S02", "no table"), "test"))
        .isEqualTo(new ErrPacket(1146, "42S02", "no table"));
  }

  @Test
  void aClientThatLeavesIsNoInternalError() {
    assertThat(Failures.packet(new ClientGoneException(), "test").errno()).isEqualTo(1160);
  }

  @Test
  void anythingElseIsAnInternalErrorWithoutItsText() {
    ErrPacket error = Failures.packet(new IllegalStateException("a secret"), "test");

    assertThat(error.errno()).isEqualTo(1105);
    assertThat(error.message()).startsWith("AB9001: internal error ").doesNotContain("secret");
  }
}
