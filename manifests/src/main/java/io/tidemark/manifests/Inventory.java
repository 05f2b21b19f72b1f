package io.tidemark.manifests;

import io.tidemark.file.FileStamp;
import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.manifests.HomeScan.Found;
import io.tidemark.manifests.HomeScan.Known;
import io.tidemark.manifests.Settling.Look;
import io.tidemark.manifests.Settling.Verdict;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of the home: which files, which nodes in them, and what is wrong. Decides what a
 * look at the home means; touches no file. Guarded by the lock of the store.
 *
 * <p>When a change that others made counts {@link Settling} decides. One file, because files and
 * nodes change in one step: what a file says decides which nodes there are.
 */
final class Inventory {
  private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);
  private static final Moment NEVER = new Moment(0, 0);

  private record Sighting(Path file, SeenObject object) {}

  private final boolean readOnly;
  private final Map<Path, FileState> files = new TreeMap<>();
  private final Map<String, NodeState> nodes = new TreeMap<>();
  private final Map<String, List<Sighting>> sightings = new HashMap<>();
  private final Map<String, Path> hiddenIn = new HashMap<>();
  private Optional<ResourceProblem> homeProblem = Optional.empty();
  private boolean looked;
  private long sequence;

  Inventory(boolean readOnly) {
    this.readOnly = readOnly;
  }

  Optional<NodeState> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  Collection<NodeState> nodes() {
    return nodes.values();
  }

  Optional<FileState> file(Path path) {
    return Optional.ofNullable(files.get(path));
  }

  /** Whether all of the home was looked at once. */
  boolean looked() {
    return looked;
  }

  /** What the next look shall compare with. */
  Map<Path, Known> known() {
    Map<Path, Known> known = new HashMap<>();
    files.forEach((path, state) -> known.put(path, state.known()));
    return known;
  }

  /** Files that must be looked at again before what was seen counts. */
  Set<Path> suspects() {
    return files.entrySet().stream()
        .filter(each -> each.getValue().isSuspect())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether there is a file that counts only when it has been quiet. */
  boolean waits() {
    return files.values().stream().anyMatch(each -> each.waits);
  }

  /** Everything that is refused now, for people. */
  List<ResourceProblem> refused() {
    Set<ResourceProblem> all = new LinkedHashSet<>();
    homeProblem.ifPresent(all::add);
    for (FileState state : files.values()) {
      state.view.problems().forEach(each -> all.add(each.problem()));
      state.unwritable.ifPresent(all::add);
    }
    for (NodeState node : nodes.values()) {
      all.addAll(node.problems);
      node.editProblem.ifPresent(all::add);
    }
    return List.copyOf(all);
  }

  /** What a watcher that begins now must be told. */
  List<StoreEvent> present() {
    List<StoreEvent> events = new ArrayList<>();
    for (NodeState node : nodes.values()) {
      node.current().ifPresent(each -> events.add(new StoreEvent.Upserted(each)));
      if (!node.problems.isEmpty()) {
        events.add(new StoreEvent.Refused(node.name, node.problems));
      }
    }
    return events;
  }

  /**
   * Takes in what a look has found.
   *
   * @param asked what the look compared with; a file of which something newer was taken in since is
   *     left out
   * @param now empty when nothing is waited for
   */
  List<StoreEvent> apply(HomeScan scan, Map<Path, Known> asked, Optional<Moment> now) {
    if (scan.complete()) {
      homeProblem = scan.problem();
    }
    if (scan.problem().isPresent()) {
      looked |= scan.complete();
      return List.of();
    }
    Set<String> touched = new TreeSet<>();
    Map<Path, Optional<Found>> found = new TreeMap<>(scan.files());
    if (scan.complete()) {
      files.keySet().forEach(path -> found.putIfAbsent(path, Optional.empty()));
    }
    found.forEach(
        (path, each) -> {
          if (!isStale(path, Optional.ofNullable(asked.get(path)))) {
            each.ifPresentOrElse(
                one -> found(path, one, now, touched), () -> missing(path, touched));
          }
        });
    looked |= scan.complete();
    return evaluate(touched);
  }

  private boolean isStale(Path path, Optional<Known> asked) {
    FileState state = files.get(path);
    if (state == null) {
      return false;
    }
    return state.busy || asked.map(Known::changes).orElse(0L) != state.changes;
  }

  private void found(Path path, Found found, Optional<Moment> now, Set<String> touched) {
    FileState state = files.computeIfAbsent(path, p -> new FileState());
    state.missing = false;
    if (found.view().hash().equals(state.view.hash())) {
      state.stamp = found.stamp();
      state.settle();
      state.again = false;
      return;
    }
    Verdict verdict = judge(path, state, found, now);
    boolean seenBefore = state.looks > 1;
    if (verdict == Verdict.BELIEVE) {
      accept(path, state, found.view(), touched);
    }
    state.again = verdict != Verdict.BELIEVE || !seenBefore;
  }

  /** What to do with a content that differs from what counts; it is a candidate from now on. */
  private Verdict judge(Path path, FileState state, Found found, Optional<Moment> now) {
    Moment at = now.orElse(NEVER);
    state.saw(found, at);
    Look look = state.look(found, at, !looked);
    Verdict verdict =
        now.isPresent()
            ? Settling.of(state.whole, found.view(), look)
            : Settling.withoutDoubt(found.view(), look);
    state.waits = verdict == Verdict.WAIT;
    if (state.waits && state.doubtedSinceNanos.isEmpty()) {
      state.doubtedSinceNanos = OptionalLong.of(at.nanos());
      LOG.info(
          "A file may be half-written and is read again until it has been quiet for {} s."
              + " file={} reason={}",
          Settling.QUIET.toSeconds(),
          path,
          Settling.doubt(state.whole, found.view(), look).orElse(""));
    } else if (verdict == Verdict.BELIEVE && look.isLate()) {
      LOG.warn(
          "A file did not become quiet within {} s and is read as it is. file={}",
          Settling.PATIENCE.toSeconds(),
          path);
    }
    return verdict;
  }

  /** Whether a content that was just read must wait; then it is a candidate from now on. */
  boolean mustWait(Path path, Found found, Moment now) {
    FileState state = files.computeIfAbsent(path, p -> new FileState());
    return !found.view().hash().equals(state.view.hash())
        && judge(path, state, found, Optional.of(now)) == Verdict.WAIT;
  }

  private void missing(Path path, Set<String> touched) {
    FileState state = files.get(path);
    if (state == null) {
      return;
    }
    if (!state.missing) {
      state.missing = true;
      state.settle();
      return;
    }
    accept(path, state, FileView.nothing(), touched);
    files.remove(path);
  }

  /** From now on {@code view} is what the file says. */
  private void accept(Path path, FileState state, FileView view, Set<String> touched) {
    Set<String> before = new HashSet<>(state.hidden);
    for (SeenObject object : state.view.objects()) {
      before.add(object.name());
      sightings.getOrDefault(object.name(), List.of()).removeIf(each -> each.file().equals(path));
    }
    state.hidden.forEach(hiddenIn::remove);
    for (SeenObject object : view.objects()) {
      touched.add(object.name());
      sightings
          .computeIfAbsent(object.name(), name -> new ArrayList<>())
          .add(new Sighting(path, object));
    }
    touched.addAll(before);
    view.objects().forEach(each -> before.remove(each.name()));
    state.hidden = view.hides() ? Set.copyOf(before) : Set.of();
    state.hidden.forEach(name -> hiddenIn.put(name, path));
    state.view = view;
    if (!view.hides()) {
      state.whole = view;
    }
    state.settle();
    state.changes++;
  }

  private List<StoreEvent> evaluate(Set<String> names) {
    List<StoreEvent> events = new ArrayList<>();
    for (String name : names) {
      List<Sighting> seen = sightings.getOrDefault(name, List.of());
      if (seen.isEmpty()) {
        sightings.remove(name);
        lost(name, events);
      } else if (seen.size() > 1) {
        refuse(name, duplicates(name, seen), events);
      } else if (seen.get(0).object().parsed() instanceof ParsedResource.Invalid invalid) {
        nodes.computeIfAbsent(name, NodeState::new).file = Optional.of(seen.get(0).file());
        refuse(name, invalid.problems(), events);
      } else {
        adopt(name, seen.get(0), events);
      }
    }
    return events;
  }

  private void lost(String name, List<StoreEvent> events) {
    Optional<FileState> hiding = Optional.ofNullable(hiddenIn.get(name)).map(files::get);
    if (hiding.isPresent() && nodes.containsKey(name)) {
      List<ResourceProblem> problems =
          hiding.get().view.problems().stream()
              .filter(ManifestProblem::hides)
              .map(ManifestProblem::problem)
              .toList();
      refuse(name, problems, events);
    } else if (nodes.remove(name) != null) {
      events.add(new StoreEvent.Deleted(name));
    }
  }

  private void refuse(String name, List<ResourceProblem> problems, List<StoreEvent> events) {
    NodeState node = nodes.computeIfAbsent(name, NodeState::new);
    if (!node.problems.equals(problems)) {
      node.problems = List.copyOf(problems);
      events.add(new StoreEvent.Refused(name, node.problems));
    }
  }

  private static List<ResourceProblem> duplicates(String name, List<Sighting> seen) {
    String places =
        seen.stream().map(each -> each.object().where()).collect(Collectors.joining(" and in "));
    String remedy = "Keep one of them; until then the node is left as it is.";
    return seen.stream()
        .map(
            each ->
                new ResourceProblem(
                    each.object().where(),
                    "metadata.name",
                    "the name " + name + " stands in " + places,
                    remedy))
        .toList();
  }

  private void adopt(String name, Sighting seen, List<StoreEvent> events) {
    NodeState node = nodes.computeIfAbsent(name, NodeState::new);
    boolean recovered = !node.problems.isEmpty();
    boolean known = node.disk.isPresent() && node.diskHash.equals(seen.object().hash());
    boolean merges = node.pending.isPresent() && !readOnly;
    node.file = Optional.of(seen.file());
    node.problems = List.of();
    if (!known && !merges) {
      node.pending = Optional.empty();
      setDisk(node, seen.object());
      events.add(new StoreEvent.Upserted(node.disk.orElseThrow()));
    } else if (recovered) {
      node.current().ifPresent(each -> events.add(new StoreEvent.Upserted(each)));
    }
  }

  /** From now on the object stands in its file as it was seen, in a version of its own. */
  private void setDisk(NodeState node, SeenObject object) {
    object
        .parsed()
        .match(
            resource -> {
              node.disk = Optional.of(resource.withResourceVersion(nextVersion(object.hash())));
              node.diskHash = object.hash();
              node.editProblem = Optional.empty();
              return true;
            },
            invalid -> false);
  }

  String nextVersion(String hash) {
    sequence++;
    return sequence + "-" + hash;
  }

  /** Forgets what was not written; what stands in the file gets a newer version than that. */
  void dropPending(NodeState node) {
    if (node.pending.isPresent()) {
      node.pending = Optional.empty();
      node.base = Optional.empty();
      node.disk = node.disk.map(each -> each.withResourceVersion(nextVersion(node.diskHash)));
    }
  }

  /** Takes in a file that this program has just read as a whole, or written. */
  List<StoreEvent> take(Path path, FileStamp stamp, FileView view) {
    FileState state = files.computeIfAbsent(path, p -> new FileState());
    state.stamp = stamp;
    state.missing = false;
    state.again = true;
    state.unwritable = Optional.empty();
    Set<String> touched = new TreeSet<>();
    accept(path, state, view, touched);
    return evaluate(touched);
  }

  /** An object that this program has just written: nobody needs to be told. */
  NodeResource wrote(NodeState node, SeenObject object) {
    if (!node.diskHash.equals(object.hash())) {
      setDisk(node, object);
    }
    node.editProblem = Optional.empty();
    return node.disk.orElseThrow();
  }

  /** An object that stands in its file in another way than was answered: a new version. */
  StoreEvent replaced(NodeState node, SeenObject object) {
    node.pending = Optional.empty();
    node.base = Optional.empty();
    setDisk(node, object);
    return new StoreEvent.Upserted(node.disk.orElseThrow());
  }
}
