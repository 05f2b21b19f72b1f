package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.manifests.ManifestFile.Entry;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
    ManifestFile<T> last = ManifestFile.nothing();
    ManifestFile<T> counted = ManifestFile.nothing();
    Optional<ResourceProblem> unreadable = Optional.empty();

    /** Whether the last look says what counts; else the file is read again at once. */
    boolean settled = true;

    /** Takes a look, whose content counts from now on if it was seen twice. */
    void see(ManifestFile<T> look) {
      String hash = look.hash();
      boolean same = look.stamp().equals(last.stamp()) && hash.equals(last.hash());
      last = look;
      settled = same || hash.equals(counted.hash());
      if (settled) {
        unreadable = look.unreadable();
        counted = unreadable.isPresent() ? counted : look;
      }
    }
  }

  private final ManifestKind<T> kind;
  private final Consumer<Consumer<ObjectWatcher<T>>> events;
  private final Map<Path, FileState<T>> files = new TreeMap<>();

  /** By name; a refused object is here with its last valid version, if there was one. */
  private final Map<String, Entry<T>> objects = new ConcurrentSkipListMap<>();

  private volatile List<ResourceProblem> refused = List.of();
  private long sequence;

  /** An empty folder; {@code events} receives its changes. */
  FolderInventory(ManifestKind<T> kind, Consumer<Consumer<ObjectWatcher<T>>> events) {
    this.kind = kind;
    this.events = events;
  }

  @Nullable Entry<T> object(String name) {
    return objects.get(name);
  }

  /** All objects by name. */
  List<T> all() {
    return objects.values().stream().flatMap(each -> each.found().stream()).toList();
  }

  /** Everything that is refused now, for people. */
  List<ResourceProblem> refused() {
    return refused;
  }

  /** The object as it is known, unless its file cannot be read now. */
  ObjectEnd<T> answer(String name) {
    @Nullable Entry<T> known = objects.get(name);
    if (known != null && !known.problems().isEmpty()) {
      return ObjectEnd.faulty(known.problems().get(0));
    }
    if (known == null || known.object() == null) {
      return ObjectEnd.of(ObjectEnd.Kind.NOT_FOUND, "");
    }
    @Nullable FileState<T> file = files.get(known.file());
    return file != null && file.last.unreadable().isPresent()
        ? ObjectEnd.failed(
            CoreError.RESOURCE_UNREADABLE, known.file() + " cannot be read, or is being written")
        : ObjectEnd.stored(known.object());
  }

  /** A file that need not be read again while its stamp is the same. */
  ManifestFile<T> known(Path path) {
    @Nullable FileState<T> file = files.get(path);
    return file != null && file.settled ? file.last : ManifestFile.nothing();
  }

  /** Whether the last look counts without another one. */
  boolean settled() {
    return files.values().stream().allMatch(file -> file.settled);
  }

  /** Tells a watcher that begins now. */
  void tellPresent() {
    objects.forEach(
        (name, each) -> {
          each.found().ifPresent(object -> events.accept(watcher -> watcher.upserted(object)));
          if (!each.problems().isEmpty()) {
            events.accept(watcher -> watcher.refused(name, each.problems()));
          }
        });
  }

  /** The folder cannot be listed; what was known stays. */
  void unlistable(ResourceProblem problem) {
    refused = List.of(problem);
  }

  /** Takes in a look at all files. */
  void apply(Map<Path, ManifestFile<T>> found) {
    Set<Path> paths = new TreeSet<>(files.keySet());
    paths.addAll(found.keySet());
    for (Path path : paths) {
      FileState<T> file = files.computeIfAbsent(path, each -> new FileState<>());
      file.see(found.getOrDefault(path, ManifestFile.nothing()));
      if (file.settled && file.last.isAbsent()) {
        files.remove(path);
      }
    }
    evaluate("");
  }

  /** Takes in a file as a write left it; the watcher is not told of the object {@code own}. */
  void take(Path path, ManifestFile<T> look, String own) {
    FileState<T> file = files.computeIfAbsent(path, each -> new FileState<>());
    file.last = look;
    file.counted = look;
    file.settled = false; // clocks of disks are coarse: the stamp alone says nothing yet
    file.unreadable = Optional.empty();
    evaluate(own);
  }

  /** An object that is changed in memory alone. */
  void imagine(Entry<T> known, T changed) {
    T next = kind.withVersion().apply(changed, nextVersion(known.hash() + "+"));
    objects.put(known.name(), known.as(known.hash(), next, List.of()));
  }

  private void evaluate(String own) {
    Map<String, List<Entry<T>>> seen = new TreeMap<>();
    objects.keySet().forEach(name -> seen.put(name, new ArrayList<>()));
    Set<ResourceProblem> all = new LinkedHashSet<>();
    for (FileState<T> file : files.values()) {
      file.unreadable.ifPresent(all::add);
      all.addAll(file.counted.problems());
      for (Entry<T> each : file.counted.objects()) {
        seen.computeIfAbsent(each.name(), name -> new ArrayList<>(1)).add(each);
      }
    }
    seen.forEach((name, entries) -> evaluate(name, entries, own));
    objects.values().forEach(each -> all.addAll(each.problems()));
    refused = List.copyOf(all);
  }

  private void evaluate(String name, List<Entry<T>> entries, String own) {
    if (entries.isEmpty()) {
      objects.remove(name);
      events.accept(watcher -> watcher.deleted(name));
      return;
    }
    Entry<T> entry = entries.get(0);
    Entry<T> before = objects.getOrDefault(name, entry.as("", null, List.of()));
    List<ResourceProblem> problems = problems(name, entries);
    @Nullable T object = entry.object();
    if (object == null || !problems.isEmpty()) {
      objects.put(name, entry.as(before.hash(), before.object(), problems));
      if (!problems.equals(before.problems())) {
        events.accept(watcher -> watcher.refused(name, problems));
      }
      return;
    }
    @Nullable T had = before.object();
    boolean same = before.hash().equals(entry.hash());
    T now = same && had != null ? had : kind.withVersion().apply(object, nextVersion(entry.hash()));
    objects.put(name, entry.as(entry.hash(), now, List.of()));
    if (!name.equals(own) && !(same && before.problems().isEmpty())) {
      events.accept(watcher -> watcher.upserted(now));
    }
  }

  private static <T> List<ResourceProblem> problems(String name, List<Entry<T>> entries) {
    if (entries.size() == 1) {
      return entries.get(0).problems();
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
