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
 * The state of a folder: files, objects in them, and problems. Decides the meaning of a look at the
 * folder; touches no file. Changed by one thread at a time; the public methods never block and may
 * be called by others.
 */
class FolderInventory<T> {
  private final ManifestKind<T> kind;

  /** Each file as the last look saw it, or the last write left it. */
  private final Map<Path, ManifestFile<T>> seen = new TreeMap<>();

  /** Each file as it counts: as two looks saw it, or as it was written. */
  private final Map<Path, ManifestFile<T>> counted = new TreeMap<>();

  /** By name; a refused object is here with its last valid version, if there was one. */
  private final Map<String, Entry<T>> objects = new ConcurrentSkipListMap<>();

  private volatile List<ResourceProblem> refused = List.of();
  private long sequence;

  FolderInventory(ManifestKind<T> kind) {
    this.kind = kind;
  }

  /** Receives the changes in the order in which they happen. */
  void tell(Consumer<ObjectWatcher<T>> event) {}

  /** All objects that are known, by name. */
  public List<T> all() {
    return objects.values().stream().flatMap(each -> each.found().stream()).toList();
  }

  /** The names of all objects that are known. */
  public List<String> names() {
    return objects.keySet().stream().filter(name -> latest(name).isPresent()).toList();
  }

  public Optional<T> latest(String name) {
    return Optional.ofNullable(known(name)).flatMap(Entry::found);
  }

  /** All refused files and objects, by file. */
  public List<ResourceProblem> refused() {
    return refused;
  }

  final @Nullable Entry<T> known(String name) {
    return objects.get(name);
  }

  /** The object as it is known, unless its file cannot be read now. */
  final ObjectEnd<T> answer(String name) {
    @Nullable Entry<T> known = known(name);
    if (known != null && !known.problems().isEmpty()) {
      return ObjectEnd.faulty(known.problems().get(0));
    }
    if (known == null || known.object() == null) {
      return ObjectEnd.of(ObjectEnd.Kind.NOT_FOUND, "");
    }
    return in(seen, known.file()).readable()
        ? new ObjectEnd<>(ObjectEnd.Kind.STORED, known.object(), "")
        : ObjectEnd.failed(
            CoreError.RESOURCE_UNREADABLE, known.file() + " cannot be read, or is being written");
  }

  private static <T> ManifestFile<T> in(Map<Path, ManifestFile<T>> files, Path path) {
    return files.getOrDefault(path, ManifestFile.nothing());
  }

  /** A file that need not be read again while its stamp is the same. */
  final ManifestFile<T> known(Path path) {
    ManifestFile<T> last = in(seen, path);
    return last.isSameAs(in(counted, path)) ? last : ManifestFile.nothing();
  }

  /** Tells a watcher that begins now. */
  final void tellPresent() {
    objects.forEach(
        (name, each) -> {
          each.found().ifPresent(object -> tell(watcher -> watcher.upserted(object)));
          if (!each.problems().isEmpty()) {
            tell(watcher -> watcher.refused(name, each.problems()));
          }
        });
  }

  /** The folder cannot be listed; what was known stays. */
  final void unlistable(ResourceProblem problem) {
    refused = List.of(problem);
  }

  /** Takes in a look at all files; whether everything that it saw counts. */
  final boolean apply(Map<Path, ManifestFile<T>> found) {
    boolean settled = true;
    Set<Path> paths = new TreeSet<>(counted.keySet());
    paths.addAll(found.keySet());
    for (Path path : paths) {
      ManifestFile<T> now = in(found, path);
      ManifestFile<T> before = in(counted, path);
      boolean counts = now.isSameAs(in(seen, path)) || now.hash().equals(before.hash());
      settled &= counts;
      seen.put(path, now);
      counted.put(path, counts ? now.orWith(before.objects()) : before);
      if (counts && now.isAbsent()) {
        seen.remove(path);
        counted.remove(path);
      }
    }
    evaluate("");
    return settled;
  }

  /** Takes in a file as a write left it; the watcher is not told of the object {@code own}. */
  final void take(Path path, ManifestFile<T> written, String own) {
    seen.put(path, written);
    counted.put(path, written);
    evaluate(own);
  }

  /** An object that is changed in memory alone. */
  final void imagine(Entry<T> known, T changed) {
    objects.put(known.name(), known.as(known.hash(), versioned(changed), List.of()));
  }

  private void evaluate(String own) {
    Map<String, List<Entry<T>>> found = new TreeMap<>();
    objects.keySet().forEach(name -> found.put(name, new ArrayList<>()));
    Set<ResourceProblem> all = new LinkedHashSet<>();
    for (ManifestFile<T> file : counted.values()) {
      all.addAll(file.problems());
      for (Entry<T> each : file.objects()) {
        found.computeIfAbsent(each.name(), name -> new ArrayList<>(1)).add(each);
      }
    }
    found.forEach((name, entries) -> evaluate(name, entries, own));
    objects.values().forEach(each -> all.addAll(each.problems()));
    refused = List.copyOf(all);
  }

  private void evaluate(String name, List<Entry<T>> entries, String own) {
    if (entries.isEmpty()) {
      objects.remove(name);
      tell(watcher -> watcher.deleted(name));
      return;
    }
    Entry<T> entry = entries.get(0);
    Entry<T> before = objects.getOrDefault(name, entry.as("", null, List.of()));
    List<ResourceProblem> problems = problems(name, entries);
    @Nullable T object = entry.object();
    if (object == null || !problems.isEmpty()) {
      objects.put(name, entry.as(before.hash(), before.object(), problems));
      if (!problems.equals(before.problems())) {
        tell(watcher -> watcher.refused(name, problems));
      }
      return;
    }
    @Nullable T had = before.hash().equals(entry.hash()) ? before.object() : null;
    T now = had != null ? had : versioned(object);
    objects.put(name, entry.as(entry.hash(), now, List.of()));
    if (!name.equals(own) && (had == null || !before.problems().isEmpty())) {
      tell(watcher -> watcher.upserted(now));
    }
  }

  /** Why an object is refused: its own problems, or all the places that define its name. */
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

  private T versioned(T object) {
    return kind.withVersion().apply(object, Long.toString(++sequence));
  }
}
