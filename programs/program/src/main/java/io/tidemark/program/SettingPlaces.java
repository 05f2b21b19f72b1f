package io.tidemark.program;

import io.tidemark.config.ConfigDirectory;
import io.tidemark.config.ConfigEnvironment;
import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigYaml;
import io.tidemark.config.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The places of settings, in order of precedence (node-manager N7).
 *
 * @param commandLine options of the command
 * @param environment variables of the process
 * @param file YAML of this program alone
 * @param directory one file per key, shared with other programs
 * @param cluster settings in the cluster, shared with other programs
 */
public record SettingPlaces(
    List<Setting> commandLine,
    Map<String, String> environment,
    Optional<Path> file,
    Optional<Path> directory,
    Optional<ClusterSettings> cluster) {
  /** Reads all of them; a place that cannot be read adds a problem to {@code problems}. */
  public List<ConfigLayer> layers(ConfigKeys keys, ConfigProblems problems) {
    Set<String> known = keys.known();
    List<ConfigLayer> layers = new ArrayList<>();
    layers.add(ConfigLayer.own(commandLine));
    layers.addAll(ConfigEnvironment.read(environment, known, problems));
    file.ifPresent(path -> layers.add(ConfigLayer.own(ConfigYaml.read(path, problems))));
    directory.ifPresent(
        path -> layers.add(ConfigLayer.shared(ConfigDirectory.read(path, known, problems))));
    cluster.ifPresent(
        place -> layers.add(ConfigLayer.shared(Setting.all(place.where(), place.read()))));
    return layers;
  }
}
