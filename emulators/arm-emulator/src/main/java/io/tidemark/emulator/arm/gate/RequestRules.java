package io.tidemark.emulator.arm.gate;

import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Operation;
import io.tidemark.emulator.arm.request.Refusal;
import java.util.Map;
import java.util.Set;

/**
 * The version of the API, the options of a query and the preconditions that a request may have.
 * Every other option of a query changes what Azure answers, so it is refused instead of ignored.
 * Pure.
 */
public final class RequestRules {
  /** The only version of the compute provider that lists network interfaces and what they have. */
  private static final String INTERFACES_OF_SETS = "2018-10-01";

  private static final String OLDEST = "2015-05-01";

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

  private RequestRules() {}

  /** Refuses a request that asks for what the operation does not have. */
  public static void require(Operation operation, ArmRequest request) {
    requireVersion(operation, request.apiVersion());
    requireHonoured(operation, request);
  }

  /** Refuses a request without a version, or with one that the operation does not have. */
  private static void requireVersion(Operation operation, String version) {
    Refusal.when(
        version.isEmpty(),
        "MissingApiVersionParameter",
        "The api-version query parameter (?api-version=) is required for all requests.");
    Refusal.when(
        !version.matches("20[0-9]{2}-[01][0-9]-[0-3][0-9](-preview)?")
            || version.compareTo(OLDEST) < 0,
        "InvalidApiVersionParameter",
        "The api-version '%s' is invalid.",
        version);
    boolean ofSets =
        operation == Operation.INTERFACES_LIST_SCALE_SET
            || operation == Operation.INTERFACES_LIST_SCALE_SET_VM
            || operation == Operation.INTERFACES_GET_SCALE_SET
            || operation == Operation.PUBLIC_ADDRESSES_LIST_SCALE_SET
            || operation == Operation.PUBLIC_ADDRESSES_LIST_SCALE_SET_VM
            || operation == Operation.PUBLIC_ADDRESSES_GET_SCALE_SET;
    Refusal.when(
        ofSets && version.compareTo(INTERFACES_OF_SETS) > 0,
        "NoRegisteredProviderFound",
        "No registered resource provider found for API version '%s'; the supported one is %s.",
        version,
        INTERFACES_OF_SETS);
  }

  private static Set<String> ofInterfaces() {
    return Set.of("ipconfigurations/publicipaddress", "ipconfigurations/subnet");
  }

  /**
   * Refuses an option that the operation does not honour, and an expansion that it does not have.
   */
  private static void requireHonoured(Operation operation, ArmRequest request) {
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
      Refusal.when(
          !honoured,
          "InvalidParameter",
          "The emulator does not honour '%s' of the parameter '%s' for %s; leave it out.",
          each.getValue(),
          name,
          operation.title());
    }
  }

  /**
   * Refuses a write whose {@code If-None-Match} does not hold.
   *
   * @param exists whether the resource that it writes is there
   */
  public static void requireAbsent(ArmRequest request, boolean exists) {
    if (!request.isWrite() || request.ifNoneMatch().isEmpty()) {
      return;
    }
    String given = request.ifNoneMatch().get();
    Refusal.when(
        !given.equals("*"),
        "InvalidRequestContent",
        "The header If-None-Match is '%s'; only '*' is supported.",
        given);
    Refusal.when(
        exists,
        412,
        "PreconditionFailed",
        "Precondition failed: %s exists, and If-None-Match is '*'.",
        request.path());
  }
}
