package io.tidemark.datastore;

import static io.tidemark.datastore.TestStore.eni;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.PoolView.EniView;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Interfaces")
class EniTest {
  private final TestStore node = TestStore.addresses();

  private List<String> ids() {
    return node.store.view().enis().stream().map(each -> each.spec().id()).toList();
  }

  @Test
  @DisplayName("D01 D02 An interface is added once, with its subnet and route table")
  void added() {
    node.with("eni-1", 1)
        .with("eni-0", 0)
        .with(new StoreEniSpec("eni-2", 2, false, false, false, 3, ""));
    StoreRefusal refusal = node.store.addEni(eni("eni-1", 7)).orElseThrow();

    assertThat(refusal.text()).isEqualTo("data store: duplicate ENI");
    assertThat(refusal.code()).isEqualTo(DatastoreError.ENI_DUPLICATE);
    assertThat(ids()).containsExactly("eni-0", "eni-1", "eni-2");
    List<StoreEniSpec> specs = node.store.view().enis().stream().map(EniView::spec).toList();
    assertThat(specs).extracting(StoreEniSpec::deviceNumber).containsExactly(0, 1, 2);
    assertThat(specs)
        .extracting(StoreEniSpec::subnetId)
        .containsExactly("subnet-1", "subnet-1", "");
    assertThat(specs).extracting(StoreEniSpec::routeTableId).containsExactly(254, 2, 3);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D03 An interface without pods is removed; one that is not here is refused \
            | addresses; eni 0; eni 1; eni 2 9; removeEni 2; \
              removeEni 2 = datastore: unknown ENI; enis = 0 1; total = 0
          D06 DI3 After a forced removal the totals are those of what is left \
            | prefixes; eni 1 0/28 16/28; eni 2 32/28; get a b c; places = 32 on eni-2 33 on eni-2 \
              34 on eni-2; forceEni 2; stats = 32/2/0/0; assigned = none; counters = 0/1/3/0; \
              forceEni 1; stats = 0/0/0/0; counters = 0/1/3/0
          """)
  void story(String name, String story) {
    StoreStory.run(story);
  }

  @Test
  @DisplayName("D04 D07 DI9 An interface with a pod is removed by force alone, which is counted")
  void inUse() {
    node.with("eni-1", 1, "10.0.0.7");
    Assignment had = node.assign("a");
    StoreRefusal refusal = node.store.removeEni("eni-1", Removal.UNUSED_ONLY).orElseThrow();
    assertThat(refusal.text()).isEqualTo("datastore: ENI is used and can not be deleted");
    assertThat(node.store.counters()).isEqualTo(new StoreCounters(0, 0, 0, 0));
    assertThat(node.store.removeEni("eni-1", Removal.FORCED)).isEmpty();

    assertThat(node.store.counters()).isEqualTo(new StoreCounters(0, 1, 1, 0));
    assertThat(node.store.orphans()).extracting(Orphan::last).containsExactly(Optional.of(had));
    StoreReleaseOutcome end = node.releasing("a");
    assertThat(end).isEqualTo(new StoreReleaseOutcome.Unknown(Optional.of(had)));
    assertThat(((StoreReleaseOutcome.Unknown) end).refusal().text())
        .isEqualTo("datastore: unknown pod");
    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.inFile().extension().orElseThrow().orphans()).isEmpty();
  }

  @Test
  @DisplayName("D05 D10 A pod gets device number and route table of the interface of its prefix")
  void prefix() {
    TestStore prefixes = TestStore.prefixes().with("eni-4", 4, "10.0.0.0/28");
    Assignment had = prefixes.assign("a");

    assertThat(had.address()).hasToString("10.0.0.0");
    assertThat(had.deviceNumber()).isEqualTo(4);
    assertThat(had.routeTableId()).isEqualTo(5);
    assertThat(prefixes.store.removeEni("eni-4", Removal.UNUSED_ONLY)).isPresent();
    assertThat(prefixes.store.removeEni("eni-4", Removal.FORCED)).isEmpty();
  }

  @Test
  @DisplayName("D08 D09 The view tells trunks and Elastic Fabric Adapters from other interfaces")
  void kinds() {
    node.with("eni-0", 0)
        .with(new StoreEniSpec("eni-t", 1, false, true, false, 2, ""))
        .with(new StoreEniSpec("eni-e", 2, false, false, true, 3, ""));
    List<EniView> enis = node.store.view().enis();

    assertThat(enis)
        .filteredOn(each -> each.spec().trunk())
        .extracting(it -> it.spec().id())
        .containsExactly("eni-t");
    assertThat(enis)
        .filteredOn(each -> each.spec().efa())
        .extracting(it -> it.spec().id())
        .containsExactly("eni-e");
  }

  @ParameterizedTest(name = "D10 Card {0}, device {1}: table {2}")
  @CsvSource({"0, 0, 254", "0, 4, 5", "1, 2, 10102", "2, 1, 10201"})
  void routeTable(int card, int device, int table) {
    assertThat(StoreEniSpec.routeTable(card, device)).isEqualTo(table);
  }

  @Test
  @DisplayName("D11 A view is of one instant: what happens later does not change it")
  void snapshot() {
    node.with("eni-1", 1, "10.0.0.7");
    PoolView before = node.store.view();
    node.assign("a");
    node.with("eni-2", 2);

    assertThat(before.enis()).hasSize(1);
    assertThat(before.enis().get(0).inUse()).isZero();
    assertThat(node.store.view().enis().get(0).inUse()).isEqualTo(1);
  }
}
