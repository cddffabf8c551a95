package io.anabranch.backend.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class ReachTest {

  @Test
  void namesTheWayOutWhereTheDriverDoesNot() {
    var refused =
        new SQLException(
            "(conn=9) RSA public key is not available client side (option serverRsaPublicKeyFile"
                + " not set)",
            "S1009");
    assertThat(Reach.said(refused))
        .startsWith(refused.getMessage())
        .contains("allowPublicKeyRetrieval=true")
        .contains("database-*.yaml");
    assertThat(Reach.said(new SQLException("Access denied"))).isEqualTo("Access denied");
  }
}
