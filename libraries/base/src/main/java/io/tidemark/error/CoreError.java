package io.tidemark.error;

/**
 * Errors that are independent of the cloud: 1000-1099 configuration and usage, 1100-1199 resources
 * and their store, 1300-1399 the node engine. {@code BlockedReason}, 1200-1299, has the reasons why
 * a node waits.
 */
public enum CoreError implements ErrorCode {
  CONFIG_REFUSED(
      1000, Kind.CONFIGURATION, "Correct the settings listed; docs/config.md explains each key."),
  CONFIG_UNKNOWN_KEY(
      1001, Kind.CONFIGURATION, "Correct the key's spelling, or remove it; see docs/config.md."),
  CONFIG_REMOVED_KEY(1002, Kind.CONFIGURATION, "Remove the key, or set what took its place."),
  CONFIG_INVALID_VALUE(1003, Kind.CONFIGURATION, "Give a value of the form that is expected."),
  CONFIG_CONTRADICTION(1004, Kind.CONFIGURATION, "Change one of the two settings."),
  CONFIG_GIVEN_TWICE(1005, Kind.CONFIGURATION, "Keep one of the two places."),
  CONFIG_UNREADABLE(
      1006, Kind.CONFIGURATION, "Correct the file; one key and its value per line is enough."),
  CONFIG_FOREIGN_KEY(
      1007, Kind.CONFIGURATION, "Remove the key, or choose the provider that reads it."),

  USAGE_REFUSED(1020, Kind.USAGE, "See the command's --help."),
  PROVIDER_UNKNOWN(1021, Kind.USAGE, "Choose one of the providers listed with --provider."),
  PORT_TAKEN(1022, Kind.USAGE, "Choose another port, or end the program that uses it."),
  NODE_UNKNOWN(1023, Kind.USAGE, "Name one of the nodes listed."),
  SCENARIO_REFUSED(
      1024,
      Kind.USAGE,
      "Correct the scenario; see docs/internals/simulation.md, docs/ec2-emulator.md or docs/arm-emulator.md."),

  CLUSTER_ACCESS(
      1025, Kind.CONFIGURATION, "Correct --kubeconfig or --context, or run it inside a cluster."),
  CLUSTER_UNNAMED(
      1026,
      Kind.CONFIGURATION,
      "Set cluster-name; until then orphaned interfaces are not deleted."),
  PLUGIN_REFUSED(
      1027, Kind.CONFIGURATION, "Correct or remove these plugins; see docs/adding-a-provider.md."),

  RESOURCE_REFUSED(1100, Kind.USAGE, "Correct the object at the path given."),
  RESOURCE_UNREADABLE(1101, Kind.USAGE, "Write one or more node objects as YAML or JSON."),
  STORE_UNREADABLE(1102, Kind.CONFIGURATION, "Check that the path exists and may be read."),
  STORE_UNWRITABLE(1103, Kind.CONFIGURATION, "Check permissions and free space of the path."),
  STORE_IN_USE(1104, Kind.USAGE, "End the other program that works on the same nodes."),
  NODES_MISSING(
      1106,
      Kind.CONFIGURATION,
      "Check that the Kubernetes Nodes are gone on purpose; set nodes-gc-interval to 0 to keep their"
          + " CiliumNodes."),
  DEFINITION_UNSUITABLE(
      1107,
      Kind.CONFIGURATION,
      "Apply the CustomResourceDefinition of CiliumNodes as Cilium publishes it, with its subresource"
          + " status."),
  WATCH_LATE(
      1110,
      Kind.RETRYABLE,
      "Check the network to the API server and the rights to watch; the watch is opened again by"
          + " itself."),

  PROVIDER_BROKE_CONTRACT(
      1301, Kind.INTERNAL, "Report it to the provider's author with the log around it."),
  STOP_INCOMPLETE(
      1302, Kind.RETRYABLE, "Start again: what was left unknown is read back from the cloud."),
  STOPPED(1303, Kind.USAGE, "Use a node manager only between its start and its stop."),
  INTERNAL_FAILURE(
      1304, Kind.INTERNAL, "Run it again with --debug and report what it shows; it is a defect.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  CoreError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
