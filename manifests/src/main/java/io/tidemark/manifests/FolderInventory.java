package io.tidemark.manifests;

import io.tidemark.file.FileStamp;
import io.tidemark.manifests.FileSettling.Verdict;
import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.manifests.FolderReader.Found;
import io.tidemark.manifests.FolderReader.Known;
import io.tidemark.manifests.FolderReader.Scan;
import io.tidemark.manifests.ManifestFile.Problem;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore.Watcher;
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
final class FolderInventory {
  private record Sighting(Path file, SeenObject object) {}

  private final ManifestKind kind;
  private final boolean readOnly;
  private final TimeSource time;
  private final Map<Path, FileState> files = new TreeMap<>();
  private final Map<String, FolderNode> nodes = new TreeMap<>();
  private final Map<String, List<Sighting>> sightings = new HashMap<>();
  private final Map<String, Path> hiddenIn = new HashMap<>();
  private Optional<ResourceProblem> folderProblem = Optional.empty();
  private boolean looked;
  private long sequence;

  FolderInventory(ManifestKind kind, boolean readOnly, TimeSource time) {
    this.kind = kind;
    this.readOnly = readOnly;
    this.time = time;
  }

  Optional<FolderNode> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  Collection<FolderNode> nodes() {
    return nodes.values();
  }

  Optional<FileState> file(Path path) {
    return Optional.ofNullable(files.get(path));
  }

  /** Whether all of the folder was looked at once. */
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

  /** Everything that is refused now, for people. */
  List<ResourceProblem> refused() {
    Set<ResourceProblem> all = new LinkedHashSet<>();
    folderProblem.ifPresent(all::add);
    for (FileState state : files.values()) {
      state.view.problems().forEach(each -> all.add(each.problem()));
      state.unwritable.ifPresent(all::add);
    }
    for (FolderNode node : nodes.values()) {
      all.addAll(node.problems);
      node.editProblem.ifPresent(all::add);
    }
    return List.copyOf(all);
  }

  /** What a watcher that begins now must be told. */
  List<Consumer<Watcher>> present() {
    List<Consumer<Watcher>> events = new ArrayList<>();
    for (FolderNode node : nodes.values()) {
      node.current().ifPresent(each -> events.add(watcher -> watcher.upserted(each)));
      if (!node.problems.isEmpty()) {
        events.add(refusal(node.name, node.problems));
      }
    }
    return events;
  }

  static Consumer<Watcher> refusal(String name, List<ResourceProblem> problems) {
    return watcher -> watcher.refused(name, problems);
  }

  /**
   * Takes in what a look has found.
   *
   * @param asked what the look compared with; a file of which something newer was taken in since is
   *     left out
   * @param doubts whether what may be half-written is waited for
   */
  List<Consumer<Watcher>> apply(Scan scan, Map<Path, Known> asked, boolean doubts) {
    if (scan.complete()) {
      folderProblem = scan.problem();
    }
    Set<String> touched = new TreeSet<>();
    if (scan.problem().isEmpty()) {
      Map<Path, Optional<Found>> found = new TreeMap<>(scan.files());
      if (scan.complete()) {
        files.keySet().forEach(path -> found.putIfAbsent(path, Optional.empty()));
      }
      found.forEach(
          (path, each) -> {
            if (each.isEmpty() && !files.containsKey(path)) {
              return;
            }
            FileState state = files.computeIfAbsent(path, p -> new FileState(kind, time));
            Known known = asked.get(path);
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

  private void found(Path path, FileState state, Found found, boolean doubts, Set<String> touched) {
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

  private void missing(Path path, FileState state, Set<String> touched) {
    if (!state.missing) {
      state.missing = true;
      state.settle();
    } else {
      accept(path, state, FileView.NOTHING, touched);
      files.remove(path);
    }
  }

  /** From now on {@code view} is what the file says. */
  private void accept(Path path, FileState state, FileView view, Set<String> touched) {
    Set<String> before = new HashSet<>(state.hidden);
    for (SeenObject object : state.view.objects()) {
      before.add(object.name());
      sightings.getOrDefault(object.name(), List.of()).removeIf(each -> each.file().equals(path));
    }
    state.hidden.forEach(hiddenIn::remove);
    touched.addAll(before);
    for (SeenObject object : view.objects()) {
      touched.add(object.name());
      before.remove(object.name());
      sightings
          .computeIfAbsent(object.name(), name -> new ArrayList<>())
          .add(new Sighting(path, object));
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

  private List<Consumer<Watcher>> evaluate(Set<String> names) {
    List<Consumer<Watcher>> events = new ArrayList<>();
    for (String name : names) {
      List<Sighting> seen = sightings.getOrDefault(name, List.of());
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

  private void lost(String name, List<Consumer<Watcher>> events) {
    @Nullable Path path = hiddenIn.get(name);
    FileState hiding = path == null ? null : files.get(path);
    if (hiding != null && nodes.containsKey(name)) {
      List<ResourceProblem> problems =
          hiding.view.problems().stream().filter(Problem::hides).map(Problem::problem).toList();
      refuse(name, problems, events);
    } else if (nodes.remove(name) != null) {
      events.add(watcher -> watcher.deleted(name));
    }
  }

  private FolderNode refuse(
      String name, List<ResourceProblem> problems, List<Consumer<Watcher>> events) {
    FolderNode node = nodes.computeIfAbsent(name, FolderNode::new);
    if (!node.problems.equals(problems)) {
      node.problems = List.copyOf(problems);
      events.add(refusal(name, node.problems));
    }
    return node;
  }

  private static List<ResourceProblem> duplicates(String name, List<Sighting> seen) {
    String places =
        seen.stream().map(each -> each.object().where()).collect(Collectors.joining(" and in "));
    String problem = "the name " + name + " stands in " + places;
    String remedy = "Keep one of them; until then the node is left as it is.";
    return seen.stream()
        .map(each -> new ResourceProblem(each.object().where(), "metadata.name", problem, remedy))
        .toList();
  }

  private void adopt(String name, Sighting seen, List<Consumer<Watcher>> events) {
    if (seen.object().parsed() instanceof ParsedResource.Invalid invalid) {
      refuse(name, invalid.problems(), events).file = Optional.of(seen.file());
      return;
    }
    FolderNode node = nodes.computeIfAbsent(name, FolderNode::new);
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
  Consumer<Watcher> replaced(FolderNode node, SeenObject object) {
    NodeResource resource =
        object
            .parsed()
            .match(
                valid -> valid.withResourceVersion(nextVersion(object.hash())),
                invalid -> node.disk.orElseThrow());
    node.settle(resource, object.hash());
    return watcher -> watcher.upserted(resource);
  }

  String nextVersion(String hash) {
    sequence++;
    return sequence + "-" + hash;
  }

  /** Forgets what was not written; what stands in the file gets a newer version than that. */
  void dropPending(FolderNode node) {
    if (node.pending.isPresent()) {
      node.pending = Optional.empty();
      node.base = Optional.empty();
      node.disk = node.disk.map(each -> each.withResourceVersion(nextVersion(node.diskHash)));
    }
  }

  /** Takes in a file that this program has just read as a whole, or written. */
  List<Consumer<Watcher>> take(Path path, FileStamp stamp, FileView view) {
    FileState state = files.computeIfAbsent(path, p -> new FileState(kind, time));
    state.stamp = stamp;
    state.missing = false;
    state.again = true;
    state.unwritable = Optional.empty();
    Set<String> touched = new TreeSet<>();
    accept(path, state, view, touched);
    return evaluate(touched);
  }
}
