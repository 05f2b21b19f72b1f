package io.tidemark.it.engine;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigSource;
import io.tidemark.manifests.DirectoryBackend;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** A directory with a file for each node. */
final class FileHome implements SequenceHome {
  private final Path directory;

  FileHome(Path directory) {
    this.directory = directory;
  }

  @Override
  public Opened open(VirtualProcess program) {
    Backend.Environment environment =
        new Backend.Environment(
            ConfigSource.of(Map.of()),
            program,
            program.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO)),
            new Random(1),
            false);
    return new Looking(DirectoryBackend.at(directory).open(environment));
  }

  /** A store that looks at the files by itself, in virtual time. */
  private record Looking(NodeBackend backend) implements Opened {
    @Override
    public NodeResourceStore store() {
      return backend.store();
    }

    @Override
    public void watch(NodeResourceStore.Watcher watcher) {
      store().watch(watcher);
    }

    @Override
    public void awaitTold() {
      // what was done is seen within half a second of virtual time
    }

    @Override
    public void close() {
      backend.close();
    }
  }

  private Path file(String node) {
    return directory.resolve(node + ".json");
  }

  @Override
  public SortedMap<String, NodeResource> all() {
    SortedMap<String, NodeResource> all = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "[!.]*.json")) {
      for (Path file : files) {
        NodeResource found = Samples.parsed(Files.readString(file));
        all.put(found.name(), found);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  @Override
  public void create(NodeResource made) {
    try {
      Path hidden = directory.resolve('.' + made.name());
      Files.writeString(hidden, NodeResourceJson.printPretty(made));
      Files.move(hidden, file(made.name()), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void change(NodeResource before, NodeResource after) {
    create(after);
  }

  @Override
  public void delete(String node) {
    try {
      Files.delete(file(node));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
