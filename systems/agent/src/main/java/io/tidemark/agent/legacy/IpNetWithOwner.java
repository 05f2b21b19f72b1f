package io.tidemark.agent.legacy;

import io.tidemark.ip.Cidr;

/** A network that is never handed out, and who reserved it. */
public record IpNetWithOwner(Cidr ipNet, String owner) {}
