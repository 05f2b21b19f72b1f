package io.tidemark.emulator.ec2.model;

/**
 * Who calls, and where.
 *
 * @param account twelve digits
 * @param region for example {@code us-east-1}
 * @param principal what a deny list names: the access key id or an ARN
 */
public record Caller(String account, String region, String principal) {}
