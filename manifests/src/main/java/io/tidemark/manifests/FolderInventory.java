package io.tidemark.manifests;

import io.tidemark.file.FileStamp;
import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.manifests.FolderReader.Found;
import io.tidemark.manifests.FolderReader.Known;
import io.tidemark.manifests.FolderReader.Scan;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The state of the folder: files, nodes in them, and problems. Decides the meaning of a look at the
 * folder; touches no file. Guarded by the lock of the store.
 */
final class FolderInventory<T> {
  private record Sighting<T>(Path file, SeenObject<T> object) {}

  private final ManifestKind<T> kind;
  private final boolean readOnly;
  private final Map<Path, FileState<T>> files = new TreeMap<>();
  private final Map<String, FolderNode<T>> nodes = new TreeMap<>();
  private final Map<String, List<Sighting<T>>> sightings = new HashMap<>();
  private Optional<ResourceProblem> folderProblem = Optional.empty();
  private boolean looked;
  private long sequence;

  FolderInventory(ManifestKind<T> kind, boolean readOnly) {
    this.kind = kind;
    this.readOnly = readOnly;
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

  /** The contents that the next look compares with. */
  Map<Path, Known<T>> known() {
    Map<Path, Known<T>> known = new HashMap<>();
    files.forEach((path, state) -> known.put(path, state.known(false)));
    return known;
  }

  /** Files that must be looked at again before the last look counts. */
  Set<Path> suspects() {
    return files.entrySet().stream()
        .filter(each -> each.getValue().isSuspect())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Everything that is refused now, for people. */
  List<ResourceProblem> refused() {
    Set<ResourceProblem> all = new LinkedHashSet<>();
    folderProblem.ifPresent(all::add);
    for (FileState<T> state : files.values()) {
      state.unreadable.ifPresent(all::add);
      all.addAll(state.view.problems());
      state.unwritable.ifPresent(all::add);
    }
    for (FolderNode<T> node : nodes.values()) {
      all.addAll(node.problems);
      node.editProblem.ifPresent(all::add);
    }
    return List.copyOf(all);
  }

  /** The events for a watcher that begins now. */
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
   * Takes in a look.
   *
   * @param asked the contents that the look compared with; a file of which something newer was
   *     taken in since is left out
   */
  List<Consumer<ObjectWatcher<T>>> apply(Scan<T> scan, Map<Path, Known<T>> asked) {
    if (scan.complete()) {
      folderProblem = scan.problem();
    }
    Set<String> touched = new TreeSet<>();
    if (scan.problem().isEmpty()) {
      Map<Path, Optional<Found<T>>> found = new TreeMap<>(scan.files());
      if (scan.complete()) {
        files.keySet().forEach(path -> found.putIfAbsent(path, Optional.empty()));
      }
      found.forEach((path, each) -> apply(path, each, asked, touched));
    }
    looked |= scan.complete();
    return evaluate(touched);
  }

  private void apply(
      Path path, Optional<Found<T>> found, Map<Path, Known<T>> asked, Set<String> touched) {
    if (found.isEmpty() && !files.containsKey(path)) {
      return;
    }
    FileState<T> state = files.computeIfAbsent(path, p -> new FileState<>());
    Known<T> known = asked.get(path);
    if (state.busy || state.changes != (known == null ? 0 : known.changes())) {
      return;
    }
    if (found.isPresent()) {
      if (state.saw(found.get())) {
        accept(path, state, found.get().view(), touched);
      }
    } else if (state.missing) {
      accept(path, state, FileView.nothing(), touched);
      files.remove(path);
    } else {
      state.missing = true;
    }
  }

  private void accept(Path path, FileState<T> state, FileView<T> view, Set<String> touched) {
    for (SeenObject<T> object : state.view.objects()) {
      touched.add(object.name());
      sightings.getOrDefault(object.name(), List.of()).removeIf(each -> each.file().equals(path));
    }
    for (SeenObject<T> object : view.objects()) {
      touched.add(object.name());
      sightings
          .computeIfAbsent(object.name(), name -> new ArrayList<>())
          .add(new Sighting<>(path, object));
    }
    state.accept(view);
  }

  private List<Consumer<ObjectWatcher<T>>> evaluate(Set<String> names) {
    List<Consumer<ObjectWatcher<T>>> events = new ArrayList<>();
    for (String name : names) {
      List<Sighting<T>> seen = sightings.getOrDefault(name, List.of());
      if (seen.isEmpty()) {
        sightings.remove(name);
        if (nodes.remove(name) != null) {
          events.add(watcher -> watcher.deleted(name));
        }
      } else if (seen.size() > 1) {
        refuse(name, duplicates(name, seen), events);
      } else {
        adopt(name, seen.get(0), events);
      }
    }
    return events;
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
        seen.stream().map(each -> each.object().where()).collect(Collectors.joining(" and "));
    String problem =
        "the name " + name + " is defined in " + (seen.size() == 2 ? "both " : "") + places;
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

  /** The object in its file differs from the one that was known or answered: a new version. */
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

  /** Forgets an unwritten change; the object in the file gets a newer version than that. */
  void dropPending(FolderNode<T> node) {
    if (node.pending.isPresent()) {
      node.pending = Optional.empty();
      node.base = Optional.empty();
      node.disk = node.disk.map(each -> kind.withVersion(each, nextVersion(node.diskHash)));
    }
  }

  /** Takes in a file that this program has just read as a whole, or written. */
  List<Consumer<ObjectWatcher<T>>> take(Path path, FileStamp stamp, FileView<T> view) {
    FileState<T> state = files.computeIfAbsent(path, p -> new FileState<>());
    state.take(stamp);
    Set<String> touched = new TreeSet<>();
    accept(path, state, view, touched);
    return evaluate(touched);
  }
}
