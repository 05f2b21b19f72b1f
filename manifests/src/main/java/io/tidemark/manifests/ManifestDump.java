package io.tidemark.manifests;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FilePort;
import io.tidemark.file.FileTooLarge;
import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.manifests.FolderReader.Found;
import io.tidemark.manifests.FolderReader.Scan;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Objects as {@code kubectl get -o yaml} or {@code -o json} printed them, read once and not
 * watched.
 *
 * @param objects with unique names, in the order in which they stand there
 * @param refused what cannot be read; when it is empty, {@code objects} are all there is
 */
public record ManifestDump<T>(List<T> objects, List<ResourceProblem> refused) {
  /** The place that means the standard input. */
  public static final String STANDARD_INPUT = "-";

  /** A cluster of 10,000 nodes prints less. */
  private static final int LENGTH_MAX = 512 << 20;

  public ManifestDump {
    objects = List.copyOf(objects);
    refused = List.copyOf(refused);
  }

  /**
   * The Kubernetes Nodes in the files of a directory, in a file, or in the standard input. Blocks
   * until all is read.
   *
   * @param place a path, or {@link #STANDARD_INPUT}
   * @param in the standard input
   * @throws IpamException {@code STORE_UNREADABLE} when the place cannot be read
   */
  public static ManifestDump<ClusterNode> nodes(String place, InputStream in) {
    return read(ManifestKind.NODE, place, in, LENGTH_MAX);
  }

  /** As {@link #nodes}, with their addresses. */
  public static ManifestDump<AddressedNode> addressedNodes(String place, InputStream in) {
    return read(ManifestKind.ADDRESSED_NODE, place, in, LENGTH_MAX);
  }

  /** As {@link #nodes}, for CiliumNodes. */
  public static ManifestDump<NodeResource> ciliumNodes(String place, InputStream in) {
    return read(ManifestKind.CILIUM_NODE, place, in, LENGTH_MAX);
  }

  static <T> ManifestDump<T> read(
      ManifestKind<T> kind, String place, InputStream in, int lengthMax) {
    try {
      List<FileView<T>> views =
          place.equals(STANDARD_INPUT)
              ? List.of(standardInput(kind, in, lengthMax))
              : files(kind, Path.of(place), lengthMax);
      return of(kind, place, views);
    } catch (IOException e) {
      String detail = place + " cannot be read: " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNREADABLE, detail, e);
    }
  }

  private static <T> FileView<T> standardInput(ManifestKind<T> kind, InputStream in, int lengthMax)
      throws IOException {
    String where = "standard input";
    byte[] content = in.readNBytes(lengthMax);
    if (in.read() >= 0) {
      throw new FileTooLarge(lengthMax);
    }
    try {
      ManifestFile file = ManifestFile.read(kind, where, ManifestBytes.text(content));
      return FileView.of(kind, file, "", FileView.nothing());
    } catch (UnreadableManifest e) {
      return FileView.unreadable(new ResourceProblem(e.place(where), "", e.problem(), e.remedy()));
    }
  }

  private static <T> List<FileView<T>> files(ManifestKind<T> kind, Path place, int lengthMax)
      throws IOException {
    FilePort disk = new DiskFiles();
    boolean directory = disk.isDirectory(disk.realPath(place));
    Scan<T> scan = new FolderReader<>(kind, disk, place, directory, lengthMax).lookAtAll(Map.of());
    if (scan.problem().isPresent()) {
      throw new IpamException(
          CoreError.STORE_UNREADABLE, place + " " + scan.problem().get().problem());
    }
    Map<Path, Optional<Found<T>>> files = new TreeMap<>(scan.files());
    return files.values().stream().flatMap(Optional::stream).map(Found::view).toList();
  }

  private static <T> ManifestDump<T> of(
      ManifestKind<T> kind, String place, List<FileView<T>> views) {
    List<T> objects = new ArrayList<>();
    List<ResourceProblem> refused = new ArrayList<>();
    Map<String, String> places = new HashMap<>();
    for (FileView<T> view : views) {
      view.unreadable().ifPresent(refused::add);
      refused.addAll(view.problems());
      for (SeenObject<T> each : view.objects()) {
        String before = places.putIfAbsent(each.name(), each.where());
        if (before != null) {
          refused.add(duplicate(each, before));
        } else if (each.parsed() instanceof ParsedResource.Valid<T> valid) {
          objects.add(valid.resource());
        } else {
          refused.addAll(((ParsedResource.Invalid<T>) each.parsed()).problems());
        }
      }
    }
    if (objects.isEmpty() && refused.isEmpty()) {
      refused.add(none(kind, place));
    }
    return new ManifestDump<>(objects, refused);
  }

  private static ResourceProblem duplicate(SeenObject<?> object, String before) {
    return new ResourceProblem(
        object.where(),
        "metadata.name",
        "the name " + object.name() + " is already defined in " + before,
        "Keep one of the two.");
  }

  private static ResourceProblem none(ManifestKind<?> kind, String place) {
    return new ResourceProblem(
        place.equals(STANDARD_INPUT) ? "standard input" : place,
        "",
        "holds no " + kind.kind(),
        "Write the objects there with kubectl get "
            + (kind == ManifestKind.CILIUM_NODE ? "ciliumnodes" : "nodes")
            + " -o yaml.");
  }
}
