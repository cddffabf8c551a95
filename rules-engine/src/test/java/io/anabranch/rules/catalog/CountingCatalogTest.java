package io.anabranch.rules.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.planner.FakeCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CountingCatalogTest {

  private final List<String> asked = new ArrayList<>();
  private final SchemaCatalog databases =
      new CatalogOver() {
        @Override
        public SchemaCatalog catalog() {
          return new FakeCatalog(Map.of());
        }

        @Override
        public Optional<TableSchema> table(String dataSource, String table) {
          asked.add(dataSource + "." + table);
          return Optional.empty();
        }
      };

  /** A text may name a table thousands of times that only one of the data sources has. */
  @Test
  void whatIsNotThereIsAskedForOnceInAStatement() {
    var catalog = new CountingCatalog(databases);
    for (int mention = 0; mention < 3; mention++) {
      assertThat(catalog.table("ds_0", "t")).isEmpty();
      assertThat(catalog.table("ds_1", "t")).isEmpty();
    }
    assertThat(asked).containsExactly("ds_0.t", "ds_1.t");
  }

  @Test
  void itIsAskedForAgainOnceDefinitionsMayBeOthers() {
    var catalog = new CountingCatalog(databases);
    assertThat(catalog.table("ds_0", "t")).isEmpty();
    catalog.refresh(null);
    assertThat(catalog.table("ds_0", "t")).isEmpty();
    assertThat(asked).containsExactly("ds_0.t", "ds_0.t");
  }
}
