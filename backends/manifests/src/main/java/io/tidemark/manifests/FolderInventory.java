package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.manifests.FolderFiles.Look;
import io.tidemark.manifests.ManifestFile.Entry;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state of the folder: files, objects in them, and problems. Decides the meaning of a look at
 * the folder; touches no file. Changed by one thread at a time; {@link #object}, {@link #all} and
 * {@link #refused} may be called by others.
 */
final class FolderInventory<T> {
  /** The state of one file. */
  private static final class FileState<T> {
    Look<T> last = Look.nothing();
    ManifestFile<T> counted = ManifestFile.nothing();
    Optional<ResourceProblem> unreadable = Optional.empty();

    /** Whether the last look says what counts; else the file is read again at once. */
    boolean settled = true;

    /** Whether the content of the look counts from now on, because it was seen twice. */
    boolean sees(Look<T> look) {
      String hash = look.content().hash();
      boolean same = look.stamp().equals(last.stamp()) && hash.equals(last.content().hash());
      last = look;
      settled = same || hash.equals(counted.hash());
      if (settled) {
        unreadable = look.content().unreadable();
      }
      return settled && unreadable.isEmpty() && !hash.equals(counted.hash());
    }
  }

  /**
   * The state of one object.
   *
   * @param hash of the object in its file
   * @param object with its version; null while it was never valid
   * @param problems why the object is refused now; empty when it is not
   */
  record Known<T>(Path file, String hash, @Nullable T object, List<ResourceProblem> problems) {
    boolean isValid() {
      return object != null && problems.isEmpty();
    }

    T requireObject() {
      return Objects.requireNonNull(object, "an object that has a version");
    }
  }

  private final ManifestKind<T> kind;
  private final Map<Path, FileState<T>> files = new TreeMap<>();
  private final Map<String, Known<T>> objects = new ConcurrentSkipListMap<>();
  private volatile List<ResourceProblem> refused = List.of();
  private long sequence;

  FolderInventory(ManifestKind<T> kind) {
    this.kind = kind;
  }

  @Nullable Known<T> object(String name) {
    return objects.get(name);
  }

  /** All objects by name. */
  List<T> all() {
    return objects.values().stream()
        .filter(each -> each.object() != null)
        .map(Known::requireObject)
        .toList();
  }

  /** Everything that is refused now, for people. */
  List<ResourceProblem> refused() {
    return refused;
  }

  /** The object as it is known, unless its file cannot be read now. */
  ObjectEnd<T> answer(String name) {
    @Nullable Known<T> known = objects.get(name);
    if (known != null && !known.problems().isEmpty()) {
      return ObjectEnd.faulty(known.problems().get(0));
    }
    if (known == null || known.object() == null) {
      return ObjectEnd.of(ObjectEnd.Kind.NOT_FOUND, "");
    }
    @Nullable FileState<T> file = files.get(known.file());
    return file != null && file.last.content().unreadable().isPresent()
        ? ObjectEnd.failed(
            CoreError.RESOURCE_UNREADABLE, known.file() + " cannot be read, or is being written")
        : ObjectEnd.stored(known.requireObject());
  }

  /** Files that need not be read again while their stamp is the same. */
  Map<Path, Look<T>> known() {
    Map<Path, Look<T>> known = new HashMap<>();
    files.forEach((path, file) -> known.put(path, file.settled ? file.last : Look.nothing()));
    return known;
  }

  /** Whether the last look counts without another one. */
  boolean settled() {
    return files.values().stream().allMatch(file -> file.settled);
  }

  /** The events for a watcher that begins now. */
  List<Consumer<ObjectWatcher<T>>> present() {
    List<Consumer<ObjectWatcher<T>>> events = new ArrayList<>();
    objects.forEach(
        (name, each) -> {
          if (each.object() != null) {
            events.add(watcher -> watcher.upserted(each.requireObject()));
          }
          if (!each.problems().isEmpty()) {
            events.add(watcher -> watcher.refused(name, each.problems()));
          }
        });
    return events;
  }

  /** The folder cannot be listed; what was known stays. */
  void unlistable(ResourceProblem problem) {
    refused = List.of(problem);
  }

  /** Takes in a look at all files. */
  List<Consumer<ObjectWatcher<T>>> apply(Map<Path, Look<T>> found) {
    Set<Path> paths = new LinkedHashSet<>(files.keySet());
    paths.addAll(found.keySet());
    Set<String> touched = new HashSet<>();
    for (Path path : paths) {
      FileState<T> file = files.computeIfAbsent(path, each -> new FileState<>());
      if (file.sees(found.getOrDefault(path, Look.nothing()))) {
        count(file, touched);
      }
      if (file.settled && file.last.isAbsent()) {
        files.remove(path);
      }
    }
    return evaluate(touched, Set.of());
  }

  /**
   * Takes in a file that this program has just written as a whole; the watcher is not told of the
   * objects {@code own}.
   */
  List<Consumer<ObjectWatcher<T>>> take(Path path, Look<T> look, Set<String> own) {
    FileState<T> file = files.computeIfAbsent(path, each -> new FileState<>());
    file.last = look;
    file.settled = false; // clocks of disks are coarse: the stamp alone says nothing yet
    file.unreadable = Optional.empty();
    Set<String> touched = new HashSet<>();
    count(file, touched);
    return evaluate(touched, own);
  }

  /** An object that is changed in memory alone. */
  void imagine(String name, Known<T> known, T changed) {
    T next = kind.withVersion().apply(changed, nextVersion(known.hash() + "+"));
    objects.put(name, new Known<>(known.file(), known.hash(), next, List.of()));
  }

  private void count(FileState<T> file, Set<String> touched) {
    file.counted.objects().forEach(each -> touched.add(each.name()));
    file.counted = file.last.content();
    file.counted.objects().forEach(each -> touched.add(each.name()));
  }

  private List<Consumer<ObjectWatcher<T>>> evaluate(Set<String> touched, Set<String> own) {
    Map<String, List<Entry<T>>> seen = new TreeMap<>();
    touched.forEach(name -> seen.put(name, new ArrayList<>()));
    Set<ResourceProblem> all = new LinkedHashSet<>();
    for (FileState<T> file : files.values()) {
      file.unreadable.ifPresent(all::add);
      all.addAll(file.counted.problems());
      file.counted.objects().stream()
          .filter(each -> touched.contains(each.name()))
          .forEach(each -> Objects.requireNonNull(seen.get(each.name())).add(each));
    }
    List<Consumer<ObjectWatcher<T>>> events = new ArrayList<>();
    seen.forEach(
        (name, entries) -> {
          if (!entries.isEmpty()) {
            evaluate(name, entries, own.contains(name)).ifPresent(events::add);
          } else if (objects.remove(name) != null) {
            events.add(watcher -> watcher.deleted(name));
          }
        });
    objects.values().forEach(each -> all.addAll(each.problems()));
    refused = List.copyOf(all);
    return events;
  }

  private Optional<Consumer<ObjectWatcher<T>>> evaluate(
      String name, List<Entry<T>> entries, boolean own) {
    Entry<T> entry = entries.get(0);
    Path file = Path.of(entry.file());
    Known<T> before = objects.getOrDefault(name, new Known<>(file, "", null, List.of()));
    List<ResourceProblem> problems = problems(name, entries);
    if (!(problems.isEmpty() && entry.parsed() instanceof ParsedResource.Valid<T> valid)) {
      objects.put(name, new Known<>(file, before.hash(), before.object(), problems));
      return problems.equals(before.problems())
          ? Optional.empty()
          : Optional.of(watcher -> watcher.refused(name, problems));
    }
    boolean same = before.object() != null && before.hash().equals(entry.hash());
    T object =
        same
            ? before.requireObject()
            : kind.withVersion().apply(valid.resource(), nextVersion(entry.hash()));
    objects.put(name, new Known<>(file, entry.hash(), object, List.of()));
    return own || (same && before.isValid())
        ? Optional.empty()
        : Optional.of(watcher -> watcher.upserted(object));
  }

  private static <T> List<ResourceProblem> problems(String name, List<Entry<T>> entries) {
    if (entries.size() == 1) {
      return entries.get(0).parsed().match(valid -> List.of(), ParsedResource.Invalid::problems);
    }
    String places = entries.stream().map(Entry::place).collect(Collectors.joining(" and "));
    String problem =
        "the name " + name + " is defined in " + (entries.size() == 2 ? "both " : "") + places;
    String remedy = "Keep one of them; until then the node is left as it is.";
    return entries.stream()
        .map(each -> new ResourceProblem(each.place(), "metadata.name", problem, remedy))
        .toList();
  }

  private String nextVersion(String hash) {
    sequence++;
    return sequence + "-" + hash;
  }
}
