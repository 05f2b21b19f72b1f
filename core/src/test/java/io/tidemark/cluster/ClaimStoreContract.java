package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClaimStore.Reading;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The promises of every {@link ClaimStore}; a backend extends it. */
public abstract class ClaimStoreContract {
  /** One place of claims, and two processes that use it. */
  public interface World {
    ClaimStore store();

    ClaimStore other();

    /** Waits until it holds; fails when it does not. */
    void eventually(String what, BooleanSupplier holds);
  }

  /** A place without claims. */
  protected abstract World world();

  /** Whether the stores may be called on any thread; not so in virtual time. */
  protected boolean isThreadSafe() {
    return true;
  }

  /** Records the calls that it receives. */
  public static final class Told implements ObjectWatcher<Claim> {
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void upserted(Claim claim) {
      log.add(claim.name() + " of " + claim.holder() + ' ' + claim.holderUid());
    }

    @Override
    public void deleted(String name) {
      log.add("deleted " + name);
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      log.add("refused " + name);
    }

    @Override
    public void synced() {
      log.add("synced");
    }

    /** Everything, in order. */
    public List<String> log() {
      return List.copyOf(log);
    }
  }

  private static Claim stored(ClaimChange change) {
    assertThat(change).isInstanceOf(ClaimChange.Stored.class);
    return ((ClaimChange.Stored) change).claim();
  }

  private static Claim read(ClaimStore store, String name) {
    Reading reading = store.get(name);
    assertThat(reading).isInstanceOf(Reading.Found.class);
    return ((Reading.Found) reading).claim();
  }

  @Test
  @DisplayName("a claim is made once: the second creation of its name finds it there")
  void creates() {
    World world = world();
    Claim made = stored(world.store().create("node-id-1", "n1", "u-1"));
    assertThat(made.isHeldBy("n1", "u-1")).isTrue();
    assertThat(made.uid()).isNotEmpty();
    assertThat(made.version()).isNotEmpty();
    assertThat(world.store().latest("node-id-1")).contains(made);
    assertThat(world.store().create("node-id-1", "n1", "u-1")).isEqualTo(new ClaimChange.Exists());
    assertThat(world.other().create("node-id-1", "n2", "u-2")).isEqualTo(new ClaimChange.Exists());
    assertThat(read(world.other(), "node-id-1").isSameAs(made)).isTrue();
  }

  @Test
  @DisplayName("a claim gets another holder in the version that was seen, and keeps its uid")
  void updates() {
    World world = world();
    Claim made = stored(world.store().create("node-id-1", "n1", "u-1"));
    Claim now = stored(world.store().update(made, "n1", "u-2"));
    assertThat(now.isHeldBy("n1", "u-2")).isTrue();
    assertThat(now.uid()).isEqualTo(made.uid());
    assertThat(now.version()).isNotEqualTo(made.version());
    assertThat(world.other().update(made, "n3", "u-3")).isEqualTo(new ClaimChange.Conflict());
    assertThat(read(world.other(), "node-id-1").isHeldBy("n1", "u-2")).isTrue();
  }

  @Test
  @DisplayName("a claim is deleted in the version that was seen; a deleted one is gone")
  void deletes() {
    World world = world();
    Claim made = stored(world.store().create("node-id-1", "n1", "u-1"));
    Claim now = stored(world.other().update(read(world.other(), "node-id-1"), "n1", "u-2"));
    assertThat(world.store().delete(made)).isEqualTo(new ClaimChange.Conflict());
    assertThat(world.other().delete(now)).isEqualTo(new ClaimChange.Gone());
    assertThat(world.other().latest("node-id-1")).isEmpty();
    assertThat(world.other().names()).isEmpty();
    assertThat(world.store().get("node-id-1")).isEqualTo(new Reading.Absent());
    assertThat(world.store().delete(now)).isEqualTo(new ClaimChange.Gone());
    assertThat(world.store().update(now, "n1", "u-3"))
        .isIn(new ClaimChange.Gone(), new ClaimChange.Conflict());
    assertThat(world.other().get("node-id-1")).isEqualTo(new Reading.Absent());
  }

  @Test
  @DisplayName("a claim that was made again under its name is neither changed nor deleted")
  void otherOfTheName() {
    World world = world();
    Claim before = stored(world.store().create("node-id-1", "n1", "u-1"));
    assertThat(world.store().delete(before)).isEqualTo(new ClaimChange.Gone());
    Claim after = stored(world.other().create("node-id-1", "n1", "u-1"));
    assertThat(after.uid()).isNotEqualTo(before.uid());
    assertThat(world.store().delete(before)).isEqualTo(new ClaimChange.Conflict());
    assertThat(world.store().update(before, "n2", "u-2")).isEqualTo(new ClaimChange.Conflict());
    assertThat(read(world.other(), "node-id-1").isSameAs(after)).isTrue();
  }

  @Test
  @DisplayName("a list brings what others made, changed and deleted")
  void lists() {
    World world = world();
    Claim one = stored(world.other().create("node-id-1", "n1", "u-1"));
    Claim two = stored(world.other().create("node-id-2", "n2", "u-2"));
    assertThat(world.store().list()).isEqualTo(new CatchUp.Done());
    assertThat(world.store().names()).containsExactlyInAnyOrder("node-id-1", "node-id-2");
    assertThat(world.other().delete(one)).isEqualTo(new ClaimChange.Gone());
    Claim changed = stored(world.other().update(two, "n2", "u-3"));
    assertThat(world.store().list()).isEqualTo(new CatchUp.Done());
    assertThat(world.store().names()).containsExactly("node-id-2");
    assertThat(world.store().latest("node-id-1")).isEmpty();
    assertThat(world.store().latest("node-id-2").filter(changed::isSameAs)).isPresent();
  }

  @Test
  @DisplayName("a watcher receives all claims, then synced, then what others change")
  void watches() {
    World world = world();
    stored(world.other().create("node-id-1", "n1", "u-1"));
    Claim two = stored(world.other().create("node-id-2", "n2", "u-2"));
    assertThat(world.store().list()).isEqualTo(new CatchUp.Done());
    Told told = new Told();
    Watch watch = world.store().watch(told);
    world.eventually("all are delivered", () -> told.log().contains("synced"));
    assertThat(told.log().subList(0, told.log().indexOf("synced")))
        .containsOnly("node-id-1 of n1 u-1", "node-id-2 of n2 u-2");
    Claim changed = stored(world.other().update(two, "n2", "u-3"));
    world.eventually("it changed", () -> told.log().contains("node-id-2 of n2 u-3"));
    assertThat(world.other().delete(changed)).isEqualTo(new ClaimChange.Gone());
    world.eventually("it is gone", () -> told.log().contains("deleted node-id-2"));
    assertThat(world.store().names()).containsExactly("node-id-1");
    watch.close();
  }

  @Test
  @DisplayName("own changes and reads show at once, and nothing older comes after them")
  void monotone() {
    World world = world();
    Told told = new Told();
    Watch watch = world.store().watch(told);
    world.eventually("it is synced", () -> told.log().contains("synced"));
    Claim made = stored(world.store().create("node-id-1", "n1", "u-1"));
    Claim now = stored(world.store().update(made, "n1", "u-2"));
    assertThat(world.store().latest("node-id-1")).contains(now);
    assertThat(world.store().delete(now)).isEqualTo(new ClaimChange.Gone());
    assertThat(world.store().latest("node-id-1")).isEmpty();
    stored(world.store().create("node-id-2", "n2", "u-2"));
    world.eventually(
        "the last version is delivered", () -> told.log().contains("node-id-2 of n2 u-2"));
    assertThat(world.store().names()).containsExactly("node-id-2");
    watch.close();
  }

  @Test
  @DisplayName("NI-27 Of creations of one name at once, one succeeds and all others find it there")
  void race() throws Exception {
    World world = world();
    int callers = 32;
    List<Callable<ClaimChange>> creations = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      ClaimStore store = i % 2 == 0 ? world.store() : world.other();
      String holder = "n" + i;
      creations.add(() -> store.create("node-id-1", holder, "u-" + holder));
    }
    List<ClaimChange> ends = new ArrayList<>();
    if (isThreadSafe()) {
      ExecutorService threads = Executors.newFixedThreadPool(callers);
      for (Future<ClaimChange> end : threads.invokeAll(creations)) {
        ends.add(end.get());
      }
      threads.shutdown();
    } else {
      for (Callable<ClaimChange> each : creations) {
        ends.add(each.call());
      }
    }
    assertThat(ends).filteredOn(end -> end instanceof ClaimChange.Stored).hasSize(1);
    assertThat(ends).filteredOn(end -> end.equals(new ClaimChange.Exists())).hasSize(callers - 1);
  }
}
