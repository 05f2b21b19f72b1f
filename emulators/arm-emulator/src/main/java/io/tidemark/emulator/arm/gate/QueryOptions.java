package io.tidemark.emulator.arm.gate;

import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Operation;
import io.tidemark.emulator.arm.request.Refusal;
import java.util.Map;
import java.util.Set;

/**
 * Which options of a query are honoured. Any other one changes what Azure answers, so it is refused
 * instead of ignored. Pure.
 */
public final class QueryOptions {
  /** The values of {@code $expand} that an operation takes, in lower case. */
  private static final Map<Operation, Set<String>> EXPANSIONS =
      Map.ofEntries(
          Map.entry(Operation.VIRTUAL_NETWORKS_GET, Set.of("subnets/ipconfigurations")),
          Map.entry(Operation.SUBNETS_GET, Set.of("ipconfigurations")),
          Map.entry(Operation.INTERFACES_GET, ofInterfaces()),
          Map.entry(Operation.INTERFACES_GET_SCALE_SET, ofInterfaces()),
          Map.entry(Operation.PUBLIC_ADDRESSES_GET, Set.of("ipconfiguration")),
          Map.entry(Operation.PUBLIC_ADDRESSES_GET_SCALE_SET, Set.of("ipconfiguration")),
          Map.entry(Operation.PUBLIC_PREFIXES_GET, Set.of("publicipaddresses")),
          Map.entry(Operation.SCALE_SETS_GET, Set.of("userdata")),
          Map.entry(Operation.SCALE_SET_VMS_LIST, Set.of("instanceview")),
          Map.entry(Operation.SCALE_SET_VMS_GET, Set.of("instanceview", "userdata")),
          Map.entry(Operation.VIRTUAL_MACHINES_LIST, Set.of("instanceview")),
          Map.entry(Operation.VIRTUAL_MACHINES_LIST_ALL, Set.of("instanceview")),
          Map.entry(Operation.VIRTUAL_MACHINES_GET, Set.of("instanceview", "userdata")));

  private QueryOptions() {}

  private static Set<String> ofInterfaces() {
    return Set.of("ipconfigurations/publicipaddress", "ipconfigurations/subnet");
  }

  /**
   * Refuses an option that the operation does not honour, and an expansion that it does not have.
   */
  public static void require(Operation operation, ArmRequest request) {
    boolean filtered =
        operation == Operation.VIRTUAL_MACHINES_LIST
            || operation == Operation.VIRTUAL_MACHINES_LIST_ALL;
    for (Map.Entry<String, String> each : request.query().entrySet()) {
      String name = each.getKey();
      boolean honoured =
          switch (name) {
            case "$skiptoken" -> true;
            case "$expand" ->
                EXPANSIONS.getOrDefault(operation, Set.of()).containsAll(request.expand());
            case "$filter" -> filtered;
            case "statusOnly" -> !each.getValue().equalsIgnoreCase("true");
            default -> !name.startsWith("$");
          };
      if (!honoured) {
        throw Refusal.of(
            400,
            "InvalidParameter",
            "The emulator does not honour '"
                + each.getValue()
                + "' of the parameter '"
                + name
                + "' for "
                + operation.title()
                + "; leave it out.");
      }
    }
  }
}
