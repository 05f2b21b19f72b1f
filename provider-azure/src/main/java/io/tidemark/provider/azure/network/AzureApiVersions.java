package io.tidemark.provider.azure.network;

/** The versions of the API that are asked for (Z5). */
final class AzureApiVersions {
  static final String NETWORK = "2025-03-01";

  /** Etags of instances need 2023-09-01 or later. */
  static final String COMPUTE = "2025-04-01";

  /** The first one whose instances can ask for blocks. */
  static final String COMPUTE_BLOCKS = "2026-07-02";

  /** The last one that lists the interfaces of scale sets and their public addresses. */
  static final String SET_INTERFACES = "2018-10-01";

  static final String PERMISSIONS = "2022-04-01";

  static final String SUBSCRIPTIONS = "2022-12-01";

  private AzureApiVersions() {}

  /**
   * The version for a request.
   *
   * @param blocks whether instances are read and written by the version that knows blocks (Z31)
   */
  static String of(ArmOperation operation, boolean blocks) {
    return switch (operation) {
      case INSTANCE_GET, INSTANCE_UPDATE -> blocks ? COMPUTE_BLOCKS : COMPUTE;
      case MACHINE_GET -> COMPUTE;
      case SET_INTERFACES, INSTANCE_INTERFACES, INSTANCE_PUBLIC_ADDRESSES -> SET_INTERFACES;
      case PERMISSIONS -> PERMISSIONS;
      case ENDPOINT -> SUBSCRIPTIONS;
      default -> NETWORK;
    };
  }
}
