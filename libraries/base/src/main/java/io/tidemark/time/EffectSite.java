package io.tidemark.time;

/**
 * Where the outside world is touched: the name of a fault, crash point and metric label.
 *
 * @param operation bounded set, such as {@code AssignPrivateIpAddresses} or {@code updateStatus}
 * @param subject the node on whose behalf it happens; empty for account-wide requests
 */
public record EffectSite(String operation, String subject) {}
