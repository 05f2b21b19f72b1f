package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.StoreModel.Block;
import io.tidemark.datastore.StoreModel.Held;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The invariants whenever no request is under way: the store shows what its model has. */
record StoreChecks(TestStore node, StoreModel model, IpFamily family, RandomRequests requests) {
  void check() {
    assignments();
    PoolView view = node.store.view();
    assertThat(view.enis().stream().map(each -> each.spec().id()))
        .as("DI3 interfaces")
        .containsExactlyElementsOf(model.enis.keySet());
    view.enis().forEach(this::eni);
    stats(view);
    assertThat(node.store.counters()).as("DI9 the counters").isEqualTo(model.counters());
    if (node.store.unhealthy().isEmpty()) {
      requests.written();
      file(node.inFile());
    }
  }

  private void assignments() {
    Map<IpAddress, String> found = new TreeMap<>();
    for (DataStore.Assigned each : node.store.assigned()) {
      IpAddress ip = each.assignment().address();
      assertThat(found.put(ip, RandomRestart.name(each.entry()))).as("DI1 %s", ip).isNull();
      assertThat(each.entry().address(family)).contains(ip);
    }
    assertThat(found).as("DI4 assignments").isEqualTo(model.assigned);
    assertThat(new HashSet<>(found.values())).as("DI1 sandboxes").hasSameSizeAs(found.values());
    assertThat(found.keySet()).as("DI9 are here").allMatch(model::isHere);
    assertThat(node.store.orphans().stream().map(it -> held(it.entry())))
        .as("DI9 orphans")
        .containsExactlyInAnyOrderElementsOf(model.orphans);
  }

  private Held held(CheckpointEntry entry) {
    return new Held(entry.address(family).orElseThrow(), RandomRestart.name(entry));
  }

  private void eni(EniView eni) {
    String id = eni.spec().id();
    assertThat(eni.excluded()).as("%s is excluded", id).isEqualTo(model.excluded.contains(id));
    assertThat(eni.draining()).as("%s is removed", id).isEqualTo(model.draining.contains(id));
    assertThat(eni.cidrs().stream().map(CidrView::cidr))
        .as("DI3 what %s has", id)
        .containsExactlyElementsOf(model.blocksOf(id).toList());
    assertThat((long) eni.inUse())
        .as("DI2 in use of %s", id)
        .isEqualTo(model.blocksOf(id).mapToLong(model::inUse).sum());
    eni.cidrs().forEach(this::block);
  }

  private void block(CidrView view) {
    Cidr block = view.cidr();
    assertThat(view.kind()).isEqualTo(model.blocks.getOrDefault(block, NONE).kind());
    assertThat(view.size()).as("DI3 %s", block).isEqualTo(block.sizeSaturated());
    assertThat((long) view.inUse()).as("DI2 in use of %s", block).isEqualTo(model.inUse(block));
    assertThat(view.returning()).isEqualTo(model.returning.contains(block));
    long now = node.time.nanos();
    List<IpAddress> unassigned =
        StoreModel.addresses(block).stream().filter(ip -> !model.assigned.containsKey(ip)).toList();
    assertThat((long) view.cooling())
        .as("DI7 of %s cool", block)
        .isBetween(
            unassigned.stream().filter(ip -> model.cools(ip, now)).count(),
            unassigned.stream().filter(ip -> !model.isFree(ip, now)).count());
  }

  private static final Block NONE = new Block("", CidrKind.SECONDARY);

  private void stats(PoolView view) {
    DatastoreStats stats = view.stats(family);
    List<Cidr> counted = model.blocks.keySet().stream().filter(model::isOpen).toList();
    assertThat(stats.total())
        .as("DI3 total")
        .isEqualTo(counted.stream().mapToLong(Cidr::sizeSaturated).sum());
    assertThat(stats.prefixes())
        .as("DI3 prefixes")
        .isEqualTo(model.mode == CidrKind.PREFIX ? counted.size() : 0);
    assertThat((long) stats.assigned())
        .as("DI2 assigned")
        .isEqualTo(counted.stream().mapToLong(model::inUse).sum());
    long now = node.time.nanos();
    List<IpAddress> open = model.open();
    assertThat(stats.usable())
        .as("DI11 can be assigned now")
        .isBetween(
            open.stream().filter(ip -> model.isFree(ip, now)).count(),
            open.stream().filter(ip -> !model.cools(ip, now)).count());
  }

  private void file(CheckpointData data) {
    List<CheckpointEntry> entries = data.allocations();
    Map<IpAddress, String> written = new TreeMap<>();
    entries.forEach(it -> written.put(it.address(family).orElseThrow(), RandomRestart.name(it)));
    assertThat(written).as("DI2 the file").isEqualTo(model.assigned);
    assertThat(entries.stream().map(it -> it.address(family).orElseThrow()))
        .as("DI12 the order in the file")
        .containsExactlyElementsOf(model.assigned.keySet());
    Stream<CheckpointEntry> orphans =
        data.extension().stream().flatMap(each -> each.orphans().stream());
    assertThat(orphans.map(this::held))
        .as("DI9 orphans in the file")
        .containsExactlyInAnyOrderElementsOf(model.orphans);
  }
}
