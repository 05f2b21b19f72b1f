package io.tidemark.manifests;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FilePort;
import io.tidemark.file.FileTooLarge;
import io.tidemark.manifests.FolderFiles.Look;
import io.tidemark.manifests.ManifestFile.Entry;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

  private static final String STANDARD_INPUT_SHOWN = "standard input";

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
    List<ManifestFile<T>> files = new ArrayList<>();
    try {
      if (place.equals(STANDARD_INPUT)) {
        byte[] content = in.readNBytes(lengthMax);
        if (in.read() >= 0) {
          throw new FileTooLarge(lengthMax);
        }
        files.add(ManifestFile.read(kind, STANDARD_INPUT_SHOWN, content));
      } else {
        FilePort disk = new DiskFiles();
        Path path = Path.of(place);
        boolean directory = disk.isDirectory(disk.realPath(path));
        for (Look<T> each :
            new FolderFiles<>(kind, disk, path, directory, "", lengthMax).scan(Map.of()).values()) {
          files.add(each.content());
        }
      }
    } catch (IOException e) {
      String detail = place + " cannot be read: " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNREADABLE, detail, e);
    }
    return of(kind, place.equals(STANDARD_INPUT) ? STANDARD_INPUT_SHOWN : place, files);
  }

  private static <T> ManifestDump<T> of(
      ManifestKind<T> kind, String place, List<ManifestFile<T>> files) {
    List<T> objects = new ArrayList<>();
    List<ResourceProblem> refused = new ArrayList<>();
    Map<String, String> places = new HashMap<>();
    for (ManifestFile<T> file : files) {
      file.unreadable().ifPresent(refused::add);
      refused.addAll(file.problems());
      for (Entry<T> each : file.objects()) {
        String before = places.putIfAbsent(each.name(), each.place());
        if (before != null) {
          String problem = "the name " + each.name() + " is already defined in " + before;
          refused.add(
              new ResourceProblem(each.place(), "metadata.name", problem, "Keep one of the two."));
        } else if (each.parsed() instanceof ParsedResource.Valid<T> valid) {
          objects.add(valid.resource());
        } else {
          refused.addAll(((ParsedResource.Invalid<T>) each.parsed()).problems());
        }
      }
    }
    if (objects.isEmpty() && refused.isEmpty()) {
      String plural = kind.kind().toLowerCase(Locale.ROOT) + "s";
      String remedy = "Write the objects there with kubectl get " + plural + " -o yaml.";
      refused.add(new ResourceProblem(place, "", "holds no " + kind.kind(), remedy));
    }
    return new ManifestDump<>(objects, refused);
  }
}
