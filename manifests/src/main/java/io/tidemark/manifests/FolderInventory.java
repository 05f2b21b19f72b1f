package io.tidemark.manifests;

import io.tidemark.file.FileStamp;
import io.tidemark.manifests.FileSettling.Verdict;
import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.manifests.FolderReader.Found;
import io.tidemark.manifests.FolderReader.Known;
import io.tidemark.manifests.FolderReader.Scan;
import io.tidemark.manifests.ManifestFile.Problem;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.TimeSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the folder: which files, which nodes in them, and what is wrong. Decides what a
 * look at the folder means; touches no file. Guarded by the lock of the store.
 *
 * <p>When a change that others made counts {@link FileSettling} decides. One file, because files
 * and nodes change in one step: what a file says decides which nodes there are.
 */
final class FolderInventory<T> {
  private record Sighting<T>(Path file, SeenObject<T> object) {}

  private final ManifestKind<T> kind;
  private final boolean readOnly;
  private final TimeSource time;
  private final Map<Path, FileState<T>> files = new TreeMap<>();
  private final Map<String, FolderNode<T>> nodes = new TreeMap<>();
  private final Map<String, List<Sighting<T>>> sightings = new HashMap<>();
  private final Map<String, Path> hiddenIn = new HashMap<>();
  private Optional<ResourceProblem> folderProblem = Optional.empty();
  private boolean looked;
  private long sequence;

  FolderInventory(ManifestKind<T> kind, boolean readOnly, TimeSource time) {
    this.kind = kind;
    this.readOnly = readOnly;
    this.time = time;
  }

  Optional<FolderNode<T>> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  Collection<FolderNode<T>> nodes() {
    return nodes.values();
  }

  Optional<FileState<T>> file(Path path) {
    return Optional.ofNullable(files.get(path));
  }

  /** Whether all of the folder was looked at once. */
  boolean looked() {
    return looked;
  }

  /** What the next look shall compare with. */
  Map<Path, Known<T>> known() {
    Map<Path, Known<T>> known = new HashMap<>();
    files.forEach((path, state) -> known.put(path, state.known()));
    return known;
  }

  /** Files that must be looked at again before what was seen counts. */
  Set<Path> suspects() {
    Set<Path> suspects = new TreeSet<>();
    files.forEach(
        (path, state) -> {
          if (state.isSuspect()) {
            suspects.add(path);
          }
        });
    return suspects;
  }

  /** Whether there is a file that counts only when it has been quiet. */
  boolean waits() {
    return files.values().stream().anyMatch(each -> each.waits);
  }

  /** Those files, by their names. */
  List<Path> awaited() {
    return files.entrySet().stream()
        .filter(each -> each.getValue().waits)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** Everything that is refused now, for people. */
  List<ResourceProblem> refused() {
    Set<ResourceProblem> all = new LinkedHashSet<>();
    folderProblem.ifPresent(all::add);
    for (FileState<T> state : files.values()) {
      state.view.problems().forEach(each -> all.add(each.problem()));
      state.unwritable.ifPresent(all::add);
    }
    for (FolderNode<T> node : nodes.values()) {
      all.addAll(node.problems);
      node.editProblem.ifPresent(all::add);
    }
    return List.copyOf(all);
  }

  /** What a watcher that begins now must be told. */
  List<Consumer<ObjectWatcher<T>>> present() {
    List<Consumer<ObjectWatcher<T>>> events = new ArrayList<>();
    for (FolderNode<T> node : nodes.values()) {
      node.current().ifPresent(each -> events.add(watcher -> watcher.upserted(each)));
      if (!node.problems.isEmpty()) {
        events.add(refusal(node.name, node.problems));
      }
    }
    return events;
  }

  static <T> Consumer<ObjectWatcher<T>> refusal(String name, List<ResourceProblem> problems) {
    return watcher -> watcher.refused(name, problems);
  }

  /**
   * Takes in what a look has found.
   *
   * @param asked what the look compared with; a file of which something newer was taken in since is
   *     left out
   * @param doubts whether what may be half-written is waited for
   */
  List<Consumer<ObjectWatcher<T>>> apply(Scan<T> scan, Map<Path, Known<T>> asked, boolean doubts) {
    if (scan.complete()) {
      folderProblem = scan.problem();
    }
    Set<String> touched = new TreeSet<>();
    if (scan.problem().isEmpty()) {
      Map<Path, Optional<Found<T>>> found = new TreeMap<>(scan.files());
      if (scan.complete()) {
        files.keySet().forEach(path -> found.putIfAbsent(path, Optional.empty()));
      }
      found.forEach(
          (path, each) -> {
            if (each.isEmpty() && !files.containsKey(path)) {
              return;
            }
            FileState<T> state = files.computeIfAbsent(path, p -> new FileState<>(kind, time));
            Known<T> known = asked.get(path);
            if (!state.busy && state.changes == (known == null ? 0 : known.changes())) {
              each.ifPresentOrElse(
                  one -> found(path, state, one, doubts, touched),
                  () -> missing(path, state, touched));
            }
          });
    }
    looked |= scan.complete();
    return evaluate(touched);
  }

  private void found(
      Path path, FileState<T> state, Found<T> found, boolean doubts, Set<String> touched) {
    state.missing = false;
    if (found.view().hash().equals(state.view.hash())) {
      state.stamp = found.stamp();
      state.settle();
      state.again = false;
      return;
    }
    if (state.judge(path, found, doubts, !looked) == Verdict.BELIEVE) {
      accept(path, state, found.view(), touched);
    }
  }

  private void missing(Path path, FileState<T> state, Set<String> touched) {
    if (!state.missing) {
      state.missing = true;
      state.settle();
    } else {
      accept(path, state, FileView.nothing(), touched);
      files.remove(path);
    }
  }

  /** From now on {@code view} is what the file says. */
  private void accept(Path path, FileState<T> state, FileView<T> view, Set<String> touched) {
    Set<String> before = new HashSet<>(state.hidden);
    for (SeenObject<T> object : state.view.objects()) {
      before.add(object.name());
      sightings.getOrDefault(object.name(), List.of()).removeIf(each -> each.file().equals(path));
    }
    state.hidden.forEach(hiddenIn::remove);
    touched.addAll(before);
    for (SeenObject<T> object : view.objects()) {
      touched.add(object.name());
      before.remove(object.name());
      sightings
          .computeIfAbsent(object.name(), name -> new ArrayList<>())
          .add(new Sighting<>(path, object));
    }
    state.hidden = view.hides() ? Set.copyOf(before) : Set.of();
    state.hidden.forEach(name -> hiddenIn.put(name, path));
    state.view = view;
    if (!view.hides()) {
      state.whole = view;
    }
    state.settle();
    state.changes++;
  }

  private List<Consumer<ObjectWatcher<T>>> evaluate(Set<String> names) {
    List<Consumer<ObjectWatcher<T>>> events = new ArrayList<>();
    for (String name : names) {
      List<Sighting<T>> seen = sightings.getOrDefault(name, List.of());
      if (seen.isEmpty()) {
        sightings.remove(name);
        lost(name, events);
      } else if (seen.size() > 1) {
        refuse(name, duplicates(name, seen), events);
      } else {
        adopt(name, seen.get(0), events);
      }
    }
    return events;
  }

  private void lost(String name, List<Consumer<ObjectWatcher<T>>> events) {
    @Nullable Path path = hiddenIn.get(name);
    FileState<T> hiding = path == null ? null : files.get(path);
    if (hiding != null && nodes.containsKey(name)) {
      List<ResourceProblem> problems =
          hiding.view.problems().stream().filter(Problem::hides).map(Problem::problem).toList();
      refuse(name, problems, events);
    } else if (nodes.remove(name) != null) {
      events.add(watcher -> watcher.deleted(name));
    }
  }

  private FolderNode<T> refuse(
      String name, List<ResourceProblem> problems, List<Consumer<ObjectWatcher<T>>> events) {
    FolderNode<T> node = nodes.computeIfAbsent(name, FolderNode::new);
    if (!node.problems.equals(problems)) {
      node.problems = List.copyOf(problems);
      events.add(refusal(name, node.problems));
    }
    return node;
  }

  private static List<ResourceProblem> duplicates(String name, List<? extends Sighting<?>> seen) {
    String places =
        seen.stream().map(each -> each.object().where()).collect(Collectors.joining(" and in "));
    String problem = "the name " + name + " stands in " + places;
    String remedy = "Keep one of them; until then the node is left as it is.";
    return seen.stream()
        .map(each -> new ResourceProblem(each.object().where(), "metadata.name", problem, remedy))
        .toList();
  }

  private void adopt(String name, Sighting<T> seen, List<Consumer<ObjectWatcher<T>>> events) {
    if (seen.object().parsed() instanceof ParsedResource.Invalid<T> invalid) {
      refuse(name, invalid.problems(), events).file = Optional.of(seen.file());
      return;
    }
    FolderNode<T> node = nodes.computeIfAbsent(name, FolderNode::new);
    boolean recovered = !node.problems.isEmpty();
    boolean known = node.disk.isPresent() && node.diskHash.equals(seen.object().hash());
    boolean merges = node.pending.isPresent() && !readOnly;
    node.file = Optional.of(seen.file());
    node.problems = List.of();
    if (!known && !merges) {
      events.add(replaced(node, seen.object()));
    } else if (recovered) {
      node.current().ifPresent(each -> events.add(watcher -> watcher.upserted(each)));
    }
  }

  /** The object stands in its file in another way than was known or answered: a new version. */
  Consumer<ObjectWatcher<T>> replaced(FolderNode<T> node, SeenObject<T> object) {
    T resource =
        object
            .parsed()
            .match(
                valid -> kind.withVersion(valid, nextVersion(object.hash())),
                invalid -> node.disk.orElseThrow());
    node.settle(resource, object.hash());
    return watcher -> watcher.upserted(resource);
  }

  String nextVersion(String hash) {
    sequence++;
    return sequence + "-" + hash;
  }

  /** Forgets what was not written; what stands in the file gets a newer version than that. */
  void dropPending(FolderNode<T> node) {
    if (node.pending.isPresent()) {
      node.pending = Optional.empty();
      node.base = Optional.empty();
      node.disk = node.disk.map(each -> kind.withVersion(each, nextVersion(node.diskHash)));
    }
  }

  /** Takes in a file that this program has just read as a whole, or written. */
  List<Consumer<ObjectWatcher<T>>> take(Path path, FileStamp stamp, FileView<T> view) {
    FileState<T> state = files.computeIfAbsent(path, p -> new FileState<>(kind, time));
    state.stamp = stamp;
    state.missing = false;
    state.again = true;
    state.unwritable = Optional.empty();
    Set<String> touched = new TreeSet<>();
    accept(path, state, view, touched);
    return evaluate(touched);
  }
}
