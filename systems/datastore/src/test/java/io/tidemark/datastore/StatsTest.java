package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Numbers and lists")
class StatsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D43 D44 Assigned and cooling addresses are counted, also of prefixes \
            | addresses 1s; eni 1 1 2; get a b; stats = 2/0/2/0; del a; stats = 2/0/1/1; 1001ms; \
              stats = 2/0/1/0; \
              prefixes 1s; eni 1 0/28; get a b; stats = 16/1/2/0; del a; stats = 16/1/1/1; \
              1001ms; stats = 16/1/1/0
          D45 A /80 counts with all its addresses; several of the largest saturate \
            | prefixes; eni 0 2001:db8::/80; get6 a; stats6 = 281474976710656/1/1/0; \
              stats = 0/0/0/0; add 0 2001:db9::/64; stats6 = 9223372036854775807/2/1/0
          D46 Excluded interfaces count nothing \
            | addresses; eni 0 1 2 3; eni 1 11 12; exclude 0; stats = 2/0/0/0
          """)
  void story(String name, String story) {
    StoreStory.run(story);
  }

  @Test
  @DisplayName("A prefix is whole while no pod has an address of it")
  void whole() {
    TestStore node =
        TestStore.prefixes().with("eni-1", 1, "10.0.0.0/28", "10.0.0.16/28", "10.0.1.1");
    node.assign("a");
    assertThat(node.store.view().enis().get(0).cidrs())
        .filteredOn(PoolView.CidrView::isWhole)
        .hasSize(2);
  }

  @Test
  @DisplayName("D52 The text of the numbers begins with the total")
  void text() {
    DatastoreStats stats = new DatastoreStats(16, 1, 2, 3);
    assertThat(stats.available()).isEqualTo(14);
    assertThat(stats.usable()).isEqualTo(11);
    assertThat(stats).hasToString("Total IPs/Prefixes = 16/1, AssignedIPs/CooldownIPs: 2/3");
  }
}
